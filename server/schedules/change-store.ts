import type { Database, Tx } from '../db/open.ts'
import type { RunChanges } from '../jobs/job.ts'
import { endRetention } from '../jobs/lifecycle/retention-store.ts'
import type { EntryChange } from '../vocabulary.ts'

/** Compares the archives of a schedule, and expires the older ones. */
export function openChangeStore(db: Database) {
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
  const counts = db.prepare<
    { change: EntryChange; count: number; keptFrom: number | null },
    { jobId: string }
  >(
    `SELECT change, count(*) AS count, min(kept_from) AS keptFrom FROM entries
     WHERE job_id = $jobId AND change IS NOT NULL GROUP BY change`,
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
  const keepCounts = db.prepareWrite<null, { jobId: string; changes: string }>(
    'UPDATE jobs SET changes = $changes WHERE id = $jobId',
  )
  const older = db.prepareWrite<{ id: string }, { scheduleId: string; keep: number; now: number }>(
    `UPDATE jobs SET swept_at = $now, expires_at = $now WHERE id IN (
       SELECT id FROM jobs WHERE schedule_id = $scheduleId AND status = 'completed' AND swept_at IS NULL
       ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET $keep)
     RETURNING id`,
  )

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
      const countOf = (change: EntryChange) => rows.find((row) => row.change === change)?.count ?? 0
      const changes = {
        added: countOf('added'),
        changed: countOf('changed'),
        unchanged: countOf('unchanged'),
        kept: countOf('kept'),
        gone: gone.get(archives)?.gone ?? 0,
        keptFrom: rows.find(({ change }) => change === 'kept')?.keptFrom ?? null,
      }
      keepCounts.run(tx, { jobId, changes: JSON.stringify(changes) })
      return changes
    },
    /** Expires all complete archives but the newest ones. Triggers request the deletion of their files. */
    expireOlder(tx: Tx, scheduleId: string, keep: number, now: number): void {
      for (const { id } of older.all(tx, { scheduleId, keep, now })) endRetention(tx, id, now)
    },
  }
}

type Archives = { readonly jobId: string; readonly baseJobId: string }
