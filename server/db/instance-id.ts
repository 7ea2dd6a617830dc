import type { Database } from './open.ts'
import { instance } from './schema.ts'

/** The random id of this database. It stays the same when the database is moved. */
export function instanceIdOf({ orm }: Database): string {
  const row = orm.select().from(instance).get()
  if (row === undefined) throw new Error('the database has no instance id')
  return row.id
}
