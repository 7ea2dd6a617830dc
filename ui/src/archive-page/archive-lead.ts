import type { Job } from '../api/types.ts'
import type { ArchiveState } from '../archive-list/archive-state.ts'
import { countOf, formatDuration } from '../base/format.ts'

/** The line below the name of an archive: what to expect of it next. */
export function archiveLead(job: Job, state: ArchiveState, now: number): string | undefined {
  const leftMs = Date.parse(job.expires_at ?? '') - now
  switch (state) {
    case 'waiting':
    case 'running':
      return 'You can close this page. Holdall keeps working.'
    case 'ready':
      // The bar at the bottom tells how long it is kept.
      return undefined
    case 'failed':
    case 'cancelled':
      if (job.file_count === 0) return undefined
      if (leftMs <= 0) return 'The fetched files have been deleted.'
      return `${countOf(job.file_count, 'file')} kept for ${formatDuration(leftMs)}`
    case 'expired':
      return 'The links are kept.'
  }
}
