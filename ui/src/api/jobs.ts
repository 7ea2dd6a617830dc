import { request } from './request.ts'
import type { Job, JobCounts, JobListItem, JobStatus, PageMeta } from './types.ts'

/** Most jobs that the service gives in one page. */
const MAX_PAGE_SIZE = 100

/** What is fetched: URLs, or URLs of which some have names. */
export type JobSources =
  | { readonly urls: readonly string[] }
  | { readonly files: readonly { readonly url: string; readonly filename?: string }[] }

export type NewJob = JobSources & {
  readonly zip_filename?: string
  readonly expires_in: number
  readonly fail_on_url_error: boolean
  readonly metadata: Readonly<Record<string, string>>
}

export interface JobQuery {
  /** At least so many, where there are so many. */
  readonly wanted: number
  /** Where an earlier page ended; null for the newest. */
  readonly cursor?: string | null
  readonly status?: JobStatus | undefined
}

export interface JobPage {
  /** Newest first. */
  readonly jobs: JobListItem[]
  /** All that there are of the kind, beyond those listed. */
  readonly total: number
  /** Where the next page begins, null at the end. */
  readonly nextCursor: string | null
}

/** The caller's jobs, asked for in as many pages as it takes. */
export async function listJobs(
  { wanted, cursor = null, status }: JobQuery,
  signal: AbortSignal,
): Promise<JobPage> {
  const jobs: JobListItem[] = []
  let nextCursor = cursor
  let total = 0
  do {
    const path = pagePath(wanted - jobs.length, nextCursor, status)
    const page: { jobs: JobListItem[]; meta: PageMeta } = await request('GET', path, { signal })
    jobs.push(...page.jobs)
    nextCursor = page.meta.next_cursor
    total = page.meta.total
  } while (nextCursor !== null && jobs.length < wanted)
  return { jobs, total, nextCursor }
}

function pagePath(wanted: number, cursor: string | null, status: JobStatus | undefined): string {
  const query = new URLSearchParams({ limit: String(Math.min(wanted, MAX_PAGE_SIZE)) })
  if (cursor !== null) query.set('cursor', cursor)
  if (status !== undefined) query.set('status', status)
  return `/jobs?${query}`
}

/** How many jobs there are in each status, and in all. */
export async function getJobCounts(signal: AbortSignal): Promise<JobCounts> {
  const { stats } = await request<{ stats: JobCounts }>('GET', '/jobs/stats', { signal })
  return stats
}

export async function getJob(id: string, signal?: AbortSignal): Promise<Job> {
  const { job } = await request<{ job: Job }>('GET', jobPath(id), signal === undefined ? {} : { signal })
  return job
}

/** Returns the new job's id. */
export async function createJob(job: NewJob): Promise<string> {
  const { job_id } = await request<{ job_id: string }>('POST', '/jobs', { body: job })
  return job_id
}

export interface RetryOptions {
  /** Keep what has been fetched. */
  readonly from_checkpoint?: boolean
  /** Go on without the URLs that failed. */
  readonly skip_failed?: boolean
  /** New URLs for failed ones. */
  readonly replace?: readonly { readonly position: number; readonly url: string }[]
}

export async function retryJob(id: string, options: RetryOptions = {}): Promise<void> {
  await request('POST', `${jobPath(id)}/retry`, { body: options })
}

export async function cancelJob(id: string): Promise<void> {
  await request('POST', `${jobPath(id)}/cancel`)
}

export async function deleteJob(id: string): Promise<void> {
  await request('DELETE', jobPath(id), { keepalive: true })
}

function jobPath(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`
}
