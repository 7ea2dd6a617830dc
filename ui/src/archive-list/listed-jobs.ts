import type { JobFilter, JobListItem } from '../api/types.ts'
import { isActive } from './archive-state.ts'

/** The jobs that a list has loaded: the newest ones, down to where the user has scrolled. */
export interface ListedJobs {
  readonly jobs: readonly JobListItem[]
  /** Where the next page begins; null if all jobs are loaded. */
  readonly nextCursor: string | null
}

/** An event about a job: its new state, or its deletion. */
export type ListChange = { readonly job: JobListItem } | { readonly deleted: string }

/**
 * Returns the list after a change, ordered newest first as the service would return it. During a search, a job that the
 * service has not found is added only if its name contains the text, since its links are not known here.
 */
export function applyChange(
  { jobs, nextCursor }: ListedJobs,
  change: ListChange,
  filter: JobFilter | undefined,
  search = '',
): ListedJobs {
  const id = 'job' in change ? change.job.id : change.deleted
  const others = jobs.filter((other) => other.id !== id)
  if (!('job' in change) || !passes(change.job, filter)) return { jobs: others, nextCursor }
  const known = jobs.find((other) => other.id === id)
  const isFound = known !== undefined
  if (!isFound && !change.job.zip_filename.toLowerCase().includes(search.toLowerCase()))
    return { jobs, nextCursor }
  // Events have no samples.
  const job = known?.sample === undefined ? change.job : { ...change.job, sample: known.sample }
  const older = others.findIndex((other) => isNewer(job, other))
  if (older !== -1) return { jobs: others.toSpliced(older, 0, job), nextCursor }
  // A job that is older than all loaded ones is left to the next page, which will contain it.
  const isOnNextPage = nextCursor !== null && !isFound
  return { jobs: isOnNextPage ? others : [...others, job], nextCursor }
}

/** Appends the next page to the list. Jobs that are in both appear once. */
export function appendPage({ jobs }: ListedJobs, page: ListedJobs): ListedJobs {
  const listed = new Set(jobs.map(({ id }) => id))
  return { jobs: [...jobs, ...page.jobs.filter(({ id }) => !listed.has(id))], nextCursor: page.nextCursor }
}

/** Whether a change may affect the number of jobs per status. Any change to a job that isn't loaded may. */
export function affectsCounts({ jobs }: ListedJobs, change: ListChange): boolean {
  if (!('job' in change)) return true
  return jobs.find(({ id }) => id === change.job.id)?.status !== change.job.status
}

/** Whether a job that the list shows as waiting or running has ended now. */
export function hasJustEnded({ jobs }: ListedJobs, job: JobListItem): boolean {
  const before = jobs.find(({ id }) => id === job.id)
  return before !== undefined && isActive(before) && !isActive(job)
}

function passes(job: JobListItem, filter: JobFilter | undefined): boolean {
  if (filter === undefined) return true
  const isCancelled = job.failure?.code === 'CANCELLED'
  return filter === 'cancelled' ? isCancelled : job.status === filter && !isCancelled
}

function isNewer(job: JobListItem, other: JobListItem): boolean {
  if (job.created_at !== other.created_at) return job.created_at > other.created_at
  return job.id > other.id
}
