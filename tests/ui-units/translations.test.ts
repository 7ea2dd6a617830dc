import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from '@typescript/typescript6'

const SOURCE_DIR = join(import.meta.dir, '../../ui/src')
const LANGUAGE_DIR = join(SOURCE_DIR, 'language')

/** A text, a sentence with values, or a group of lines. */
type Line = string | ((...values: never[]) => string) | { readonly [name: string]: Line }
type Catalogues = Readonly<Record<string, Line>>
type Translation = Catalogues & { readonly sameInEnglish: readonly string[] }

const english: Catalogues = Object.assign({}, ...(await modulesIn('english')).map(({ exports }) => exports))

describe('A catalogue', () => {
  test.each(readdirSync(join(LANGUAGE_DIR, 'english')))(
    'in %s is asked for by the name of its export',
    (file) => {
      const source = readFileSync(join(LANGUAGE_DIR, 'english', file), 'utf8')
      const [, exported, name] = /export const (\w+) = catalogue\('(\w+)'/.exec(source) ?? []
      expect(exported).toBe(`${camelCase(basename(file, '.ts'))}Copy`)
      expect(name).toBe(exported)
    },
  )
})

describe('The interface', () => {
  test('has no words outside the catalogues that people read, since nobody could translate them', () => {
    const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SOURCE_DIR)]
    const found = paths
      .filter((path) => !path.startsWith('language/'))
      .flatMap((path) => wordsIn(path, readFileSync(join(SOURCE_DIR, path), 'utf8')))
    expect(found).toEqual([])
  })

  test.each([
    ['a text', '<p>Select {name}</p>'],
    ['an attribute', '<input aria-label="Select all" />'],
    ['a string', "const problem = 'Missing https://'"],
    ['a string with a value', `const problem = \`\${scheme} isn’t supported\``],
  ])('would be found with %s in English', (_, source) => {
    expect(wordsIn('a.tsx', source)).toHaveLength(1)
  })
})

for (const { name: language, exports } of await modulesIn('translations')) {
  const { sameInEnglish, ...translation } = exports

  describe(`The translation ${language}`, () => {
    test('has each line of each catalogue, as a text or as a sentence with values, and no other', () => {
      expect(linesOf(translation).map(kind)).toEqual(linesOf(english).map(kind))
    })

    test('leaves no line in English, but those that it lists', () => {
      const theirs = new Map(linesOf(translation))
      const same = linesOf(english).filter(([path, line]) => source(theirs.get(path)) === source(line))
      expect(same.map(([path]) => path).toSorted()).toEqual([...(sameInEnglish ?? [])].toSorted())
    })

    test('has a sentence of its own for all that the check of a ZIP can find', () => {
      const findings = readFileSync(
        join(LANGUAGE_DIR, '../../../server/archive/verifying/findings.ts'),
        'utf8',
      )
      const codes = findings.match(/(?<=')[A-Z0-9_]+(?=')/g) ?? []
      expect(codes).toContain('CONTENT_DAMAGED')
      const sentence = new Map(linesOf(translation)).get('checkZipCopy.finding') as (
        code: string,
        english: string,
      ) => string
      expect(codes.filter((code) => sentence(code, 'in English') === 'in English')).toEqual([])
    })
  })
}

/** All lines with their paths, such as `keysCopy.form.name`, in the order of the paths. */
function linesOf(lines: Catalogues, prefix = ''): (readonly [path: string, line: Line])[] {
  return Object.entries(lines)
    .flatMap(([name, line]) =>
      typeof line === 'object' ? linesOf(line, `${prefix}${name}.`) : [[`${prefix}${name}`, line] as const],
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function kind([path, line]: readonly [path: string, line: Line]): string {
  return `${path}: ${typeof line === 'string' ? 'text' : 'sentence'}`
}

/** A text, or the source of a sentence. Its values have the same names in both. */
function source(line: Line | undefined): string {
  return String(line)
}

async function modulesIn(folder: 'english'): Promise<{ name: string; exports: Catalogues }[]>
async function modulesIn(folder: 'translations'): Promise<{ name: string; exports: Translation }[]>
async function modulesIn(folder: string): Promise<{ name: string; exports: unknown }[]> {
  const directory = join(LANGUAGE_DIR, folder)
  return await Promise.all(
    readdirSync(directory).map(async (file) => ({
      name: basename(file, '.ts'),
      exports: await import(join(directory, file)),
    })),
  )
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Texts between tags, and strings that begin like a sentence or have a word like "can’t", except for names and what no person reads. */
function wordsIn(path: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim())
    if (isText(node) && /^\p{Lu}\p{L}+ \p{L}|\p{L}’\p{L}/u.test(node.text)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return found
    .filter((text) => !NOT_COPY.has(text) && !/^(?:--[a-z]|[A-Z_]+$)/.test(text))
    .map((text) => `${path}: ${text}`)
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  )
}

/** Names, a key, the end of a file name, an error of the service by which it is recognised, and one that nobody sees. */
const NOT_COPY: ReadonlySet<string> = new Set([
  'Holdall',
  'Standard Webhooks',
  'Enter',
  '.zip',
  'Address not allowed',
  'This is no longer needed.',
])
