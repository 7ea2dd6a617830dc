import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { objectDeletions } from '../db/schema.ts'

/** Which objects of the archive store must be deleted. Triggers of the migrations write the rows. */
export type ObjectDeletionStore = ReturnType<typeof openObjectDeletionStore>

/** A row that requests the deletion of an object. */
export interface ObjectDeletion {
  readonly id: number
  readonly objectName: string
}

export function openObjectDeletionStore(db: Database) {
  const { orm } = db
  const next = prepareLater(() =>
    orm
      .select()
      .from(objectDeletions)
      .where(gt(objectDeletions.id, sql.placeholder('id')))
      .orderBy(asc(objectDeletions.id))
      .limit(BATCH)
      .prepare(),
  )
  return {
    /** The next batch of rows after an id, in order. */
    pendingAfter: (after: number): ObjectDeletion[] => next.all({ id: after }),
    /** Deletes a row. Call it after the object was deleted. */
    remove(id: number): void {
      db.transaction(() => orm.delete(objectDeletions).where(eq(objectDeletions.id, id)).run())
    },
  }
}

/** Rows that are read together. */
const BATCH = 16
