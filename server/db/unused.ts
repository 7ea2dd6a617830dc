import { Database as Sqlite } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'

/** A database that holds nothing yet: no file, no tables, or no rows but those of a first start. */
export interface UnusedDatabase {
  /** Null while it has none. */
  readonly instanceId: string | null
}

/**
 * Reads a database that a killed first start may have left, and does not change it. Null when anything in it could be missed:
 * rows of users, or bytes that are not a database of Holdall.
 */
export function readUnused(path: string): UnusedDatabase | null {
  if (!existsSync(path) || statSync(path).size === 0) return { instanceId: null }
  try {
    using sqlite = new Sqlite(path, { readonly: true, strict: true })
    const tables = sqlite
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name)
    if (tables.length === 0) return { instanceId: null }
    const counted = tables.filter((name) => !OF_A_START.includes(name) && !name.startsWith('sqlite_'))
    const isEmpty = counted.every((name) => sqlite.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null)
    const users = sqlite.query<{ total: number }, []>('SELECT count(*) AS total FROM users').get()?.total ?? 0
    if (!isEmpty || users > 1) return null
    return sqlite.query<UnusedDatabase, []>('SELECT id AS instanceId FROM instance').get()
  } catch {
    return null
  }
}

/** A start writes its own row to each of these: the owner, a link for it to sign in, the identity of the database. */
const OF_A_START = ['__drizzle_migrations', 'instance', 'users', 'sign_in_links']
