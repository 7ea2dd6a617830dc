import type { User } from '../accounts/user.ts'
import type { Database } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import { openBaseStore } from './base-store.ts'
import { isDownloadable, type NewJob } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { SourceToInsert } from './source-store.ts'

/** The finished archives from which new jobs copy entries. */
export type Bases = ReturnType<typeof openBases>

export function openBases(db: Database, store: JobStore, clock: Clock) {
  const bases = openBaseStore(db)

  /** `NOT_FOUND` unless the user has this completed job; `INVALID_REQUEST` when its archive has expired or was deleted. */
  function assertUsable(user: User, jobId: string): void {
    const job = store.find(user.id, jobId)?.job ?? null
    if (job !== null && isDownloadable(job, clock())) return
    const hadArchive = job === null ? bases.hadArchive(user.id, jobId) : job.status === 'completed'
    if (!hadArchive) throw new ServiceError('NOT_FOUND', 'There is no such completed job to use as the base.')
    throw new ServiceError(
      'INVALID_REQUEST',
      'The archive of the base has expired or was deleted. Choose another base, or leave it out.',
      [{ path: 'base.job_id', message: 'must be a job whose archive is still kept' }],
    )
  }

  return {
    /**
     * The sources of a new job, each with the position of the same source in the base, if any.
     * @throws ServiceError `NOT_FOUND` or `INVALID_REQUEST` when the user can't use the base
     */
    locate(user: User, { sources, base }: NewJob): readonly SourceToInsert[] {
      if (base === null) return sources
      assertUsable(user, base.jobId)
      const positions = bases.positionsIn(base.jobId, sources)
      return sources.map((source, index) => ({ ...source, basePosition: positions[index] ?? null }))
    },
  }
}
