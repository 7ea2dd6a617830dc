import { and, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { archiveStays } from '../db/schema.ts'

/** Bytes of a job that begin to count against its owner's quota. */
export interface Stay {
  readonly jobId: string
  readonly userId: string
  readonly sizeBytes: number
  readonly storedAt: number
  /** Expiry, unless they go earlier. */
  readonly removedAt: number
}

/** Runs inside the transaction that ends the job. */
export function beginStay(db: Database, stay: Stay): void {
  if (stay.sizeBytes > 0) db.orm.insert(archiveStays).values(stay).run()
}

/** What counts of the job counts no longer. Runs inside the transaction that lets go of its bytes. */
export function endStays(db: Database, jobId: string, now: number): void {
  const lasting = and(eq(archiveStays.jobId, jobId), gt(archiveStays.removedAt, now))
  // Not before it began, should the clock have been set back.
  db.orm
    .update(archiveStays)
    .set({ removedAt: sql`max(${archiveStays.storedAt}, ${now})` })
    .where(lasting)
    .run()
}
