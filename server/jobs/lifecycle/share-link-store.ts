// server/decisions/links.md says why one archive at a time holds a link.

import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/open.ts'
import { jobs } from '../../db/schema.ts'
import type { Job, LinkVersion, Versions } from '../job.ts'

/** Which archives are, or were, behind the same share link. */
export type ShareLinks = ReturnType<typeof openShareLinks>

export function openShareLinks(db: Database) {
  const others = and(eq(jobs.linkId, sql.placeholder('linkId')), ne(jobs.id, sql.placeholder('id')))
  const earlier = db.orm
    .select({
      id: jobs.id,
      fileCount: jobs.fileCount,
      zipBytes: jobs.zipBytes,
      completedAt: jobs.completedAt,
      expiresAt: jobs.expiresAt,
    })
    .from(jobs)
    .where(
      and(
        others,
        eq(jobs.status, 'completed'),
        sql`(${jobs.createdAt}, ${jobs.id}) < (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`,
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(MAX_VERSIONS)
    .prepare()
  const holder = db.orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(others, eq(jobs.holdsLink, true)))
    .prepare()
  return {
    versionsOf({ id, linkId, createdAt, holdsLink, status }: Job): Versions {
      const isReplaced = status === 'completed' && !holdsLink
      return {
        earlier: earlier.all({ id, linkId, createdAt }) satisfies LinkVersion[],
        replacedBy: isReplaced ? (holder.get({ id, linkId })?.id ?? null) : null,
      }
    },
  }
}

/** In the transaction that completes a job: its share link no longer opens the archive that it replaces, but this one. */
export function takeLink(tx: Tx, jobId: string): void {
  const taken = tx
    .update(jobs)
    .set({ holdsLink: true })
    .where(and(eq(jobs.id, jobId), eq(jobs.holdsLink, false)))
    .returning({ linkId: jobs.linkId })
    .get()
  if (taken === undefined) return
  tx.update(jobs)
    .set({ holdsLink: false })
    .where(and(eq(jobs.linkId, taken.linkId), ne(jobs.id, jobId), eq(jobs.holdsLink, true)))
    .run()
}

/** Earlier archives expire, so more are rare. */
const MAX_VERSIONS = 20
