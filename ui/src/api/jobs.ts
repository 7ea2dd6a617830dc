import type { JobChanges, JobSources, NewJob, RetryOptions } from '../../../server/client/types.ts'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { Job, JobCounts, JobFilter, JobListItem, PageMeta } from './types.ts'

export type { JobSources, NewJob, RetryOptions }

export interface JobQuery {
  /** How many jobs to load, if there are that many. */
  readonly count: number
  /** `nextCursor` of an earlier page; null starts at the newest job. */
  readonly cursor?: string | null
  readonly filter?: JobFilter | undefined
  /** A part of the name of the archive or of a link. */
  readonly search?: string
  /** Whether each job has a `sample` of its files. */
  readonly withSamples?: boolean
}

export interface JobPage {
  /** Newest first. */
  readonly jobs: JobListItem[]
  /** How many jobs match in total, loaded or not. */
  readonly total: number
  /** Where the next page begins; null on the last page. */
  readonly nextCursor: string | null
}

/** Returns the user's jobs, loaded in as many requests as needed. */
export async function listJobs(
  { count, cursor = null, filter, search = '', withSamples = false }: JobQuery,
  signal: AbortSignal,
): Promise<JobPage> {
  const { items, total, nextCursor } = await loadPages(
    {
      path: '/jobs',
      query: {
        ...filterQuery(filter),
        ...(search !== '' && { search }),
        ...(withSamples && { sample: String(REQUEST_LIMITS.sampledFiles) }),
      },
      itemsOf: (page: { jobs: JobListItem[]; meta: PageMeta }) => page.jobs,
      count,
      cursor,
    },
    signal,
  )
  return { jobs: items, total, nextCursor }
}

function filterQuery(filter: JobFilter | undefined): Record<string, string> {
  if (filter === undefined) return {}
  if (filter === 'cancelled') return { status: 'failed', cancelled: 'true' }
  return { status: filter, ...(filter === 'failed' && { cancelled: 'false' }) }
}

/** Returns the number of jobs per status, and in total. */
export async function getJobCounts(signal: AbortSignal): Promise<JobCounts> {
  const { stats } = await request<{ stats: JobCounts }>('GET', '/jobs/stats', { signal })
  return stats
}

export async function getJob(id: string, signal?: AbortSignal): Promise<Job> {
  const { job } = await request<{ job: Job }>('GET', jobPath(id), signal === undefined ? {} : { signal })
  return job
}

/** Returns the new job's id. */
export async function createJob(body: NewJob): Promise<string> {
  const { job_id } = await request<{ job_id: string }>('POST', '/jobs', { body })
  return job_id
}

/** A new URL for the one at a position of a job. */
export type Replacement = NonNullable<RetryOptions['replace']>[number]

/** Returns the id of the job that runs: a new one if URLs of a completed job are replaced. */
export async function retryJob(id: string, options: RetryOptions = {}): Promise<string> {
  const { job_id } = await request<{ job_id: string }>('POST', `${jobPath(id)}/retry`, { body: options })
  return job_id
}

/** Renames a job, or changes how long its archive is kept. */
export async function changeJob(id: string, changes: JobChanges): Promise<void> {
  await request('PATCH', jobPath(id), { body: changes })
}

export async function cancelJob(id: string): Promise<void> {
  await request('POST', `${jobPath(id)}/cancel`)
}

/** @param key the key of the user who deletes the job, who may sign out in the meantime */
export async function deleteJob(id: string, key: string | null): Promise<void> {
  await request('DELETE', jobPath(id), { key, keepalive: true })
}

function jobPath(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`
}
