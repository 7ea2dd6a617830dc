import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { SETTINGS } from '../server/config/config.ts'
import { exampleCalls } from '../server/http/docs/example-calls.ts'
import { recordExampleCalls } from './support/example-calls/record.ts'

const ROOT = join(import.meta.dir, '..')
const README = read('README.md')
const CONTRIBUTING = '.github/CONTRIBUTING.md'
const DOCUMENTS = [
  'README.md',
  CONTRIBUTING,
  '.github/BENCHMARKS.md',
  ...new Bun.Glob('{server,ui}/**/*.md').scanSync(ROOT),
]

test.each([
  ['README.md', ['start', 'check']],
  [CONTRIBUTING, ['seed', 'dev', 'test', 'check']],
])('%s names scripts that exist', (path, expected) => {
  const named = [...read(path).matchAll(/\bbun(?:@[\d.]+)? run ([\w:-]+)/g)].map(([, script]) => script)
  expect(named).toEqual(expect.arrayContaining(expected))
  const { scripts } = manifest()
  expect(named.filter((script = '') => !(script in scripts))).toEqual([])
})

test('The documents and the continuous integration pin the Bun version of package.json', () => {
  for (const text of [README, read(CONTRIBUTING), read('.ci/run')]) {
    const pins = [...text.matchAll(/\bbun@([\d.]+)/g)].map(([, version]) => `bun@${version}`)
    expect(pins.length).toBeGreaterThan(0)
    expect(new Set(pins)).toEqual(new Set([manifest().packageManager]))
  }
})

test(`${CONTRIBUTING} names files that exist`, () => {
  const named = [...read(CONTRIBUTING).matchAll(/\b(?:server|ui|drizzle|tests)\/[\w./-]*/g)].map(
    ([path]) => path,
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

describe('The README', () => {
  test.each(Object.values(SETTINGS))('has a row for --$flag', ({ flag, env, value }) => {
    const name = `\`--${flag}${value === null ? '' : ` ${value}`}\``
    const row = tableRows(README).find(([first]) => first?.startsWith(name))
    expect(row?.[1]).toBe(`\`${env}\``)
  })

  test('names only settings that exist', () => {
    const known: string[] = Object.values(SETTINGS).map(({ env }) => env)
    const named = README.match(/\bHOLDALL_\w+/g) ?? []
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('shows every command, and only commands that exist', () => {
    const known = commands()
    expect(known).toContain('user add')
    const shown = [...README.matchAll(/(?:`|dist\/)holdall ((?:[a-z][a-z-]* ?)+)/g)]
    const named = new Set(shown.map(([, words = '']) => words.trim()))
    // The README starts the service without naming the command `serve`.
    expect([...named, 'serve'].toSorted()).toEqual(known.toSorted())
  })
})

test.each(DOCUMENTS)('Relative links and pictures in %s lead to existing files', (path) => {
  const text = read(path)
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)]
  const targets = links.map(([, target = '']) => target)
  const local = targets.filter((target) => !/^(https?:|#)/.test(target))
  const missing = local.filter((target) => !existsSync(join(ROOT, dirname(path), target.split('#')[0] ?? '')))
  expect(missing).toEqual([])
})

test.each([
  ['server/ARCHITECTURE.md', 'server'],
  ['ui/ARCHITECTURE.md', 'ui/src'],
])('%s lists exactly the folders of %s', (document, root) => {
  const folders = readdirSync(join(ROOT, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => `\`${name}/\``)
  expect(mappedFolders(document, /^`[\w-]+\/`$/)).toEqual(folders.toSorted())
})

test('server/ARCHITECTURE.md lists exactly the rooms of the folders that have several levels', () => {
  const rooms = ['cli', 'jobs', 'engine', 'archive', 'fetching'].flatMap((part) =>
    readdirSync(join(ROOT, 'server', part), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => `\`${relative(join(ROOT, 'server'), join(parentPath, name))}/\``),
  )
  expect(mappedFolders('server/ARCHITECTURE.md', /^`[\w-]+(?:\/[\w-]+)+\/`$/)).toEqual(rooms.toSorted())
})

/** The folders that the tables of a document list, which have this form. */
function mappedFolders(document: string, form: RegExp): string[] {
  const cells = tableRows(read(document)).map(([first = '']) => first)
  return cells.filter((cell) => form.test(cell)).toSorted()
}

describe.each(['server/decisions', 'ui/decisions'])('The index of %s', (folder) => {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name !== 'README.md')

  test('lists each record once', () => {
    const listed = [...read(`${folder}/README.md`).matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)/gm)]
    expect(listed.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
  })

  test.each(names.filter((name) => name !== 'threat-model.md'))(
    'leads to context, choice and consequence: %s',
    (name) => {
      const parts = [...read(`${folder}/${name}`).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part)
      expect(parts).toEqual(['Context', 'Choice', 'Consequence'])
    },
  )
})

describe('Each attack in the threat model', () => {
  const text = read('server/decisions/threat-model.md')
  const attacks = text.split(/^- (?=\*\*)/m).slice(1)
  const nameOf = (attack: string) => /^\*\*([^*]+)\*\*/.exec(attack)?.[1]?.replace(/\s+/g, ' ') ?? ''

  test.each(attacks.map((attack) => [nameOf(attack), attack] as const))('names its test: %s', (_, attack) => {
    const [, tests = ''] = /\bTests?:\s([\s\S]*)/.exec(attack) ?? []
    const named = [...tests.matchAll(/\]\(\.\.\/\.\.\/(tests\/[^)]+)\)/g)].map(([, path = '']) => path)
    expect(named).not.toEqual([])
    const missing = named.filter(
      (path) => !/\.(?:test|e2e|soak)\.ts$/.test(path) || !existsSync(join(ROOT, path)),
    )
    expect(missing).toEqual([])
  })
})

test('Comments name decisions that exist', () => {
  const named = [...new Bun.Glob('{server,ui,tests}/**/*.{ts,tsx}').scanSync(ROOT)]
    .filter((path) => path !== 'tests/docs.test.ts')
    .flatMap((path) =>
      [...read(path).matchAll(/\bdecisions\/([\w-]+(?:\.md)?)/g)].map(([, name = '']) => name),
    )
  expect(named.length).toBeGreaterThan(0)
  const exists = (name: string) =>
    ['server', 'ui'].some((part) => existsSync(join(ROOT, part, 'decisions', name)))
  expect(named.filter((name) => !exists(name))).toEqual([])
})

test('The example calls in the API reference are what curl and the service give today: `bun run examples`', async () => {
  const recorded = [...exampleCalls().values()]
  for (const call of await recordExampleCalls()) {
    const known = recorded.find(({ name }) => name === call.name)
    expect(known ?? `${call.name} is missing`).toEqual(call)
  }
}, 120_000)

/** The names of the commands in the output of `--help`. */
function commands(): string[] {
  const help = Bun.spawnSync([process.execPath, join(ROOT, 'server/main.ts'), '--help']).stdout.toString()
  const usages = [...help.matchAll(/^ {2}holdall ((?:[a-z][a-z-]*(?: |$))+)/gm)]
  return usages.map(([, words = '']) => words.trim())
}

/** The cells of all table rows of a document. */
function tableRows(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function manifest(): { packageManager: string; scripts: Record<string, string> } {
  return JSON.parse(read('package.json'))
}
