import type { Job } from '../api/types.ts'
import type { ArchiveState } from '../archive-list/archive-state.ts'
import { countOf, formatDateTime, formatDuration } from '../base/format.ts'

/** The line below the name of an archive: what to expect of it next. */
export function archiveLead(job: Job, state: ArchiveState, now: number): string | undefined {
  const leftMs = Date.parse(job.expires_at ?? '') - now
  switch (state) {
    case 'waiting':
    case 'running':
      return 'You can close this page. Holdall keeps working.'
    case 'ready':
      if (job.expires_at === null) return 'Kept until its schedule has newer ones'
      return `Expires in ${formatDuration(leftMs)} ${unbroken(`(${formatDateTime(job.expires_at, now)})`)}`
    case 'failed':
    case 'cancelled':
      if (job.file_count === 0) return undefined
      if (leftMs <= 0) return 'The fetched files have been deleted.'
      return `${countOf(job.file_count, 'file')} kept for ${formatDuration(leftMs)}`
    case 'expired':
      return 'The links are kept.'
  }
}

/** The same text, which no line break divides. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0')
}
