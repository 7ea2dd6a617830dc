import type { Database } from '../db/open.ts'
import type { JobSettings } from './job.ts'
import { openRetentionStore } from './retention-store.ts'

/** Changes the name and the expiry of jobs. */
export type JobSettingsStore = ReturnType<typeof openJobSettingsStore>

export function openJobSettingsStore(db: Database) {
  const retention = openRetentionStore(db)
  const change = db.prepare<
    { expiresAt: number | null },
    {
      jobId: string
      userId: string
      zipFilename: string | null
      expiresInSeconds: number | null
      now: number
    }
  >(
    `UPDATE jobs SET zip_filename = coalesce($zipFilename, zip_filename),
       expires_in_seconds = coalesce($expiresInSeconds, expires_in_seconds),
       expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE coalesce($now + $expiresInSeconds * 1000, expires_at) END
     WHERE id = $jobId AND user_id = $userId AND swept_at IS NULL AND (expires_at IS NULL OR expires_at > $now)
     RETURNING expires_at AS expiresAt`,
  )

  return {
    /**
     * Keeps the status. The new expiry of a job that has ended also ends its retention period, so that the quota counts what
     * the job really takes. False when there is no such job, or it has expired.
     */
    change(
      userId: string,
      jobId: string,
      { zipBasename, expiresInSeconds }: JobSettings,
      now: number,
    ): boolean {
      const zipFilename = zipBasename === null ? null : `${zipBasename}.zip`
      return db.durably(() => {
        const changed = change.get({ jobId, userId, zipFilename, expiresInSeconds, now })
        if (changed === null) return false
        if (changed.expiresAt !== null) retention.move(jobId, now, changed.expiresAt)
        return true
      })
    },
  }
}
