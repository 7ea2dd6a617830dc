import type { Job } from '../api/types.ts'
import type { ArchiveState } from '../archive-list/archive-state.ts'
import { formatDuration } from '../base/format.ts'
import { archivePageCopy } from '../language/english/archive-page.ts'

/** The line below the name of an archive: what to expect of it next. */
export function archiveLead(job: Job, state: ArchiveState, now: number): string | undefined {
  const copy = archivePageCopy.lead
  const leftMs = Date.parse(job.expires_at ?? '') - now
  switch (state) {
    case 'waiting':
    case 'running':
      return copy.active
    case 'ready':
      // The bar at the bottom tells how long it is kept.
      return undefined
    case 'failed':
    case 'cancelled':
      if (job.file_count === 0) return undefined
      if (leftMs <= 0) return copy.deleted
      return copy.kept(job.file_count, formatDuration(leftMs))
    case 'expired':
      return copy.expired
  }
}
