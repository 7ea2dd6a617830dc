import { request } from './request.ts'
import type { Job, JobListItem, PageMeta } from './types.ts'

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

export interface JobList {
  readonly jobs: JobListItem[]
  /** All that there are, beyond those listed. */
  readonly total: number
}

/** The newest jobs, at least `wanted` of them where there are so many. */
export async function listJobs(wanted: number, signal: AbortSignal): Promise<JobList> {
  const jobs: JobListItem[] = []
  let cursor: string | null = null
  let total = 0
  do {
    const page: { jobs: JobListItem[]; meta: PageMeta } = await request(
      'GET',
      pagePath(wanted - jobs.length, cursor),
      {
        signal,
      },
    )
    jobs.push(...page.jobs)
    cursor = page.meta.next_cursor
    total = page.meta.total
  } while (cursor !== null && jobs.length < wanted)
  return { jobs, total }
}

function pagePath(wanted: number, cursor: string | null): string {
  const query = new URLSearchParams({ limit: String(Math.min(wanted, MAX_PAGE_SIZE)) })
  if (cursor !== null) query.set('cursor', cursor)
  return `/jobs?${query}`
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
