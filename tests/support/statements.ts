import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from './service.ts'

const ROOT = join(import.meta.dir, '../..')

/** Where the source makes a statement, which may begin a line before its verb. */
export interface Statement {
  readonly path: string
  readonly line: number
  readonly lastLine: number
}

/** By Drizzle's builder, as plain SQL of a store, and as plain SQL on the connection itself, but for that of the stores. */
const MAKES_STATEMENT = [
  /\b(?:tx|orm)\s*\.\s*(?:select\w*|insert|update|delete|get|all|run|values|with|\$\w+)\b/,
  /\bdb\s*\.\s*prepare(?:Write)?\b/,
  /\b(?:sqlite|opened)\s*\.\s*(?:run|query|exec|prepare(?!\(text\)))\b/,
]
const STATEMENT = new RegExp(MAKES_STATEMENT.map(({ source }) => source).join('|'), 'g')

/** All statements that a source file makes. */
export function statementsOf(path: string, text: string): Statement[] {
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  return [...text.matchAll(STATEMENT)].map(({ 0: found, index }) => ({
    path,
    line: lineAt(index),
    lastLine: lineAt(index + found.length),
  }))
}

/** A database that records which statements of the source have been made on it. */
export interface RecordingDatabase extends Disposable {
  readonly db: Database
  /** Those that have not been made, as `path:line`. */
  missing(statements: readonly Statement[]): string[]
}

/** Records what is made on any connection, from now on until disposed of. */
export function openRecordingDatabase(path: string): RecordingDatabase {
  using stack = new DisposableStack()
  const made = new Set<string>()

  /**
   * Records the line of the server that makes a statement. Drizzle calls the connection itself, later. A call that is all of an arrow
   * function, or returned, has no frame: JavaScriptCore reuses that of its caller.
   */
  function record(): void {
    const frames = new Error().stack ?? ''
    const begin = frames.indexOf(`${ROOT}/server/`)
    const [place = ''] = /^[^:]+:\d+/.exec(frames.slice(begin + ROOT.length + 1)) ?? []
    if (begin >= 0) made.add(place)
  }

  const recording = <T extends object>(builder: T): T =>
    new Proxy(builder, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...given: unknown[]) => {
          record()
          return Reflect.apply(method, target, given)
        }
      },
    })

  for (const name of ['run', 'query', 'prepare'] as const) {
    const method = Sqlite.prototype[name]
    Reflect.set(Sqlite.prototype, name, function (this: Sqlite, ...given: unknown[]) {
      record()
      return Reflect.apply(method, this, given)
    })
    stack.defer(() => Reflect.set(Sqlite.prototype, name, method))
  }
  const db = stack.use(openDatabase(path, PROGRAM_FILES.migrationsDir))
  const recorded =
    (transaction: Database['transaction']): Database['transaction'] =>
    (work) =>
      transaction((tx) => work(recording(tx)))

  const parts = stack.move()
  return {
    db: {
      ...db,
      orm: recording(db.orm),
      prepare(text) {
        record()
        return db.prepare(text)
      },
      prepareWrite(text) {
        record()
        return db.prepareWrite(text)
      },
      transaction: recorded(db.transaction),
      durably: recorded(db.durably),
      freeing: recorded(db.freeing),
    },
    missing(statements) {
      return statements
        .filter(
          ({ path, line, lastLine }) => !made.has(`${path}:${line}`) && !made.has(`${path}:${lastLine}`),
        )
        .map(({ path, line }) => `${path}:${line}`)
    },
    [Symbol.dispose]: () => parts.dispose(),
  }
}

/** The source files of the server, by their paths from the root of the repository. */
export async function serverFiles(): Promise<{ path: string; text: string }[]> {
  const paths = [...new Bun.Glob('server/**/*.ts').scanSync(ROOT)].toSorted()
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await Bun.file(join(ROOT, path)).text() })),
  )
}
