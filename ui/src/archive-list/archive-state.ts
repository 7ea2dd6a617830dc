import type { JobListItem } from '../api/types.ts'
import { type Message, translated } from '../base/message.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'

/** The status of a job as shown to users: `expired` is split from `completed`, and `cancelled` from `failed`. */
export type ArchiveState = 'waiting' | 'running' | 'ready' | 'expired' | 'failed' | 'cancelled'

export const STATE_LABELS: Readonly<Record<ArchiveState, string>> = archiveListCopy.states

export function archiveState(job: JobListItem, now: number): ArchiveState {
  switch (job.status) {
    case 'pending':
      return 'waiting'
    case 'processing':
      return 'running'
    case 'completed':
      return isPast(job.expires_at, now) ? 'expired' : 'ready'
    case 'failed':
      return job.failure?.code === 'CANCELLED' ? 'cancelled' : 'failed'
  }
}

/** Why an archive failed, in the words of the interface. */
export function failureMessage({ failure }: JobListItem): Message {
  return failure ? translated(archiveListCopy.failure(failure.code, failure.message), failure.message) : ''
}

export function isActive(job: JobListItem): boolean {
  return job.status === 'pending' || job.status === 'processing'
}

/** The number of URLs that a completed archive leaves out because they failed. */
export function missingCount(job: JobListItem): number {
  return job.status === 'completed' ? job.url_count + manifestCount(job) - job.file_count : 0
}

/** The number of files of an archive that come from no link: the lists of its sources and of their checksums. */
function manifestCount({ manifest }: JobListItem): number {
  return manifest ? 2 : 0
}

/** The number of links of a completed archive that failed, or whose files look wrong. */
export function fixableCount(job: JobListItem): number {
  return missingCount(job) + (job.status === 'completed' ? job.warning_count : 0)
}

/** How much of a job is done, from 0 to 1. The service alone decides, so that every page says the same. */
export function doneFraction(job: JobListItem): number {
  return job.progress ?? 1
}

function isPast(iso: string | null, now: number): boolean {
  return iso !== null && Date.parse(iso) <= now
}
