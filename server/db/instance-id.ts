import type { Database } from './open.ts'
import { instance } from './schema.ts'

/** Which database this is: random, made with it, the same wherever it is moved to. */
export function instanceIdOf({ orm }: Database): string {
  const row = orm.select().from(instance).get()
  if (row === undefined) throw new Error('the database has no instance id')
  return row.id
}
