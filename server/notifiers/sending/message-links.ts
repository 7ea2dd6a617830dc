import type { NotifierMessage } from '../notifier.ts'
import type { NoticeLinks } from './notice.ts'

/** Where the links of a message lead that a person reads. */
export interface MessageLinks extends NoticeLinks {
  /** The page on which notifiers are turned off. */
  readonly settings: string
}

/**
 * @param shareUrlOf the link to the page for receivers of a job's archive; null when that page would have nothing to show
 * @param origin where the interface is
 */
export function messageLinks(
  { type, jobId, snapshot }: NotifierMessage,
  shareUrlOf: (jobId: string, origin: string) => string | null,
  origin: string,
): MessageLinks {
  return {
    share: type === 'job.completed' && jobId !== null ? shareUrlOf(jobId, origin) : null,
    page: `${origin}${pageOf(jobId, snapshot?.scheduleId ?? null)}`,
    settings: `${origin}/account/notifications`,
  }
}

/** A message of a schedule is of no job, and a test of neither. */
function pageOf(jobId: string | null, scheduleId: string | null): string {
  if (jobId !== null) return `/archives/${jobId}`
  return scheduleId === null ? '/' : `/account/schedules/${scheduleId}`
}
