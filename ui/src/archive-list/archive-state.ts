import type { JobListItem } from '../api/types.ts'

/** A job's status as people see it: an archive that is no longer there is not ready, one called off has not failed. */
export type ArchiveState = 'waiting' | 'running' | 'ready' | 'expired' | 'failed' | 'cancelled'

export const STATE_WORDS: Readonly<Record<ArchiveState, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  ready: 'Ready',
  expired: 'Expired',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

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

export function isActive(job: JobListItem): boolean {
  return job.status === 'pending' || job.status === 'processing'
}

/** URLs that a finished archive is without. */
export function missingCount(job: JobListItem): number {
  return job.status === 'completed' ? job.url_count - job.file_count : 0
}

/** How much of its URLs a job is done with, from 0 to 1. */
export function doneFraction(job: JobListItem, failedCount = 0): number {
  return Math.min((job.file_count + failedCount) / job.url_count, 1)
}

function isPast(iso: string | null, now: number): boolean {
  return iso !== null && Date.parse(iso) <= now
}
