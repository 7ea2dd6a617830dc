import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from '../support/executable.ts'
import { type Behaviour, type ExpectedFile, withRun } from '../support/origin/behaviours.ts'
import { behaviours, expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { sha256 } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

/** `refused`: there is no whole file, and the program says so. `wrong`: it says that all is well, and it is not. */
type Outcome = 'right' | 'refused' | 'wrong' | 'lost'

/** A program that fetches a list of URLs. */
interface Program {
  readonly name: string
  /** The command, for a directory that contains `list.txt`; with each URL's position as the name of its file if it can. */
  command(urls: readonly string[]): readonly string[]
  /** The SHA-256 of each file in order, as far as there are files. */
  files(dir: string, count: number): Promise<readonly (string | null)[]>
}

/** With the options of a careful user: all retry often, and take an error status for an error. */
const programs: readonly Program[] = [
  {
    name: 'Holdall',
    command: () => [EXECUTABLE, ...'zip -o out.zip -i list.txt --allow-network 127.0.0.0/8'.split(' ')],
    async files(dir) {
      const path = join(dir, 'out.zip')
      return existsSync(path) ? (await readZip(path)).map((entry) => entry.sha256) : []
    },
  },
  {
    name: 'curl',
    command: (urls) => [
      ...'curl -sfLZ --parallel-max 8 --retry 10 --retry-delay 1 --retry-all-errors'.split(' '),
      ...urls.flatMap((url, position) => ['-o', `${position}`, url]),
    ],
    files: filesByPosition,
  },
  {
    name: 'wget',
    command: (urls) => [
      'sh',
      '-c',
      'printf "%s\\n" "$@" | xargs -P 8 -n 2 wget -q -t 10 -T 60 --waitretry=2 --retry-on-http-error=429,503 -O',
      'wget',
      ...urls.flatMap((url, position) => [`${position}`, url]),
    ],
    files: filesByPosition,
  },
  {
    name: 'aria2c',
    command: (urls) => {
      const options = '-q -j 8 -m 10 --retry-wait=1 --file-allocation=none --no-conf'.split(' ')
      const list = urls.map((url, position) => `${url}\n  out=${position}`).join('\n')
      return ['sh', '-c', 'printf "%s\\n" "$0" | aria2c -i - "$@"', list, ...options]
    },
    files: filesByPosition,
  },
]

test(
  'Holdall makes no wrong file of any source, and fetches no fewer than curl, wget and aria2c',
  async () => {
    await using origin = await startOrigin()
    const tasks = behaviours.flatMap((behaviour) =>
      programs.map((program) => ({ behaviour, program, outcome: 'lost' as Outcome })),
    )
    const waiting = tasks.values()
    const work = async () => {
      for (const task of waiting) {
        const { behaviour, program } = task
        const urls = behaviour.paths.map((path) => origin.url(withRun(path, program.name)))
        task.outcome = await outcomeOf(program, urls, behaviour)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))

    const outcomesOf = (name: string) =>
      tasks.filter(({ program }) => program.name === name).map(({ outcome }) => outcome)
    console.log(tableOf(behaviours, outcomesOf))
    const goodCount = (name: string) =>
      outcomesOf(name).filter((outcome) => outcome === 'right' || outcome === 'refused').length
    expect(outcomesOf('Holdall')).not.toContain('wrong')
    expect(goodCount('Holdall')).toBeGreaterThanOrEqual(
      Math.max(...programs.map(({ name }) => goodCount(name))),
    )
  },
  15 * 60_000,
)

async function outcomeOf(program: Program, urls: readonly string[], { file }: Behaviour): Promise<Outcome> {
  using dir = tempDir()
  writeFileSync(dir.file('list.txt'), urls.join('\n'))
  const child = Bun.spawn([...program.command(urls)], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path },
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: LONGEST_MS,
  })
  const hasFailed = (await child.exited) !== 0
  if (hasFailed) return file === null ? 'refused' : 'lost'
  if (file === null) return 'wrong'
  const files = await program.files(dir.path, urls.length)
  return files.length === urls.length && files.every((digest) => digest === digestOf(file))
    ? 'right'
    : 'wrong'
}

async function filesByPosition(dir: string, count: number): Promise<readonly (string | null)[]> {
  return Array.from({ length: count }, (_, position) => {
    const path = join(dir, `${position}`)
    return existsSync(path) ? sha256(readFileSync(path)) : null
  })
}

function digestOf(file: ExpectedFile): string {
  return 'text' in file ? sha256(Buffer.from(file.text)) : expectedSha256(file.sizeBytes, file.seed)
}

function tableOf(rows: readonly Behaviour[], outcomesOf: (name: string) => readonly Outcome[]): string {
  const columns = programs.map(({ name }) => ({ name, outcomes: outcomesOf(name) }))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const counts = (['right', 'refused', 'wrong', 'lost'] as const).map((kind) =>
    line([
      kind,
      ...columns.map(({ outcomes }) => `${outcomes.filter((outcome) => outcome === kind).length}`),
    ]),
  )
  return [
    line(['a source that ...', ...columns.map(({ name }) => name)]),
    line(Array(columns.length + 1).fill('---')),
    ...rows.map(({ name }, row) => line([name, ...columns.map(({ outcomes }) => outcomes[row] ?? '')])),
    ...counts,
  ].join('\n')
}

/** Most of them wait. */
const AT_ONCE = 6
/** Longer than the patience of each. */
const LONGEST_MS = 240_000
