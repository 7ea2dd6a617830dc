import { and, count, desc, eq, inArray, isNotNull, isNull, min, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { entries, jobs } from '../db/schema.ts'
import type { RunChanges } from '../jobs/job.ts'
import { endRetention } from '../jobs/lifecycle/retention-store.ts'
import type { EntryChange } from '../vocabulary.ts'

/** Compares the archives of a schedule, and expires the older ones. */
export function openChangeStore(db: Database) {
  // In these two, nearly all is a comparison of columns by hand, of which the builder would check the names alone: plain SQL shows it.
  const setChanges = db.prepareWrite<null, Archives>(
    `UPDATE entries SET change = (
       SELECT CASE
         WHEN b.position IS NULL THEN CASE entries.status WHEN 'stored' THEN 'added' END
         WHEN entries.status = 'failed' THEN 'gone'
         WHEN entries.kept_from IS NOT NULL THEN 'kept'
         WHEN b.crc32 = entries.crc32 AND b.size_bytes = entries.size_bytes THEN 'unchanged'
         ELSE 'changed' END
       FROM sources s LEFT JOIN entries b ON b.job_id = $baseJobId AND b.position = s.base_position AND b.status = 'stored'
       WHERE s.job_id = $jobId AND s.position = entries.position)
     WHERE job_id = $jobId`,
  )
  // A list may have a source twice. The first entry of it is the one that later archives are compared with.
  const gone = db.prepare<{ gone: number }, Archives>(
    `SELECT (SELECT count(*) FROM (SELECT DISTINCT s.url, s.filename FROM sources s
         JOIN entries e ON e.job_id = s.job_id AND e.position = s.position AND e.status = 'stored'
         WHERE s.job_id = $baseJobId))
       - (SELECT count(DISTINCT s.base_position) FROM sources s
         JOIN entries e ON e.job_id = s.job_id AND e.position = s.position AND e.status = 'stored'
         JOIN entries b ON b.job_id = $baseJobId AND b.position = s.base_position AND b.status = 'stored'
         WHERE s.job_id = $jobId) AS gone`,
  )
  const counts = db.orm
    .select({ change: entries.change, total: count(), keptFrom: min(entries.keptFrom) })
    .from(entries)
    .where(and(eq(entries.jobId, sql.placeholder('jobId')), isNotNull(entries.change)))
    .groupBy(entries.change)
    .prepare()

  return {
    /**
     * Marks each entry of a completed job by how it compares with the base, and counts the marks. An entry is unchanged if its bytes
     * are those of the base, whether or not it was fetched. `gone` is what the base has and this archive does not: because its source
     * failed, or because it is no longer on the list.
     */
    compare(tx: Tx, jobId: string, base: string | null): RunChanges {
      const archives = { jobId, baseJobId: base ?? '' }
      setChanges.run(tx, archives)
      const rows = counts.all({ jobId })
      const countOf = (change: EntryChange) => rows.find((row) => row.change === change)?.total ?? 0
      const changes = {
        added: countOf('added'),
        changed: countOf('changed'),
        unchanged: countOf('unchanged'),
        kept: countOf('kept'),
        gone: gone.get(archives)?.gone ?? 0,
        keptFrom: rows.find(({ change }) => change === 'kept')?.keptFrom ?? null,
      }
      tx.update(jobs).set({ changes }).where(eq(jobs.id, jobId)).run()
      return changes
    },
    /** Expires all complete archives but the newest ones. Triggers request the deletion of their files. */
    expireOlder(tx: Tx, scheduleId: string, keep: number, now: number): void {
      const older = tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(eq(jobs.scheduleId, scheduleId), eq(jobs.status, 'completed'), isNull(jobs.sweptAt)))
        .orderBy(desc(jobs.createdAt), desc(jobs.id))
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(keep)
      const expired = tx
        .update(jobs)
        .set({ sweptAt: now, expiresAt: now })
        .where(inArray(jobs.id, older))
        .returning({ id: jobs.id })
        .all()
      for (const { id } of expired) endRetention(tx, id, now)
    },
  }
}

type Archives = { readonly jobId: string; readonly baseJobId: string }
