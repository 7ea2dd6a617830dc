import type { JobListItem, JobStatus } from '../api/types.ts'

/** What of all jobs a list shows: the newest, as far down as it was scrolled. */
export interface ListedJobs {
  readonly jobs: readonly JobListItem[]
  /** Where the next page begins, null at the end. */
  readonly nextCursor: string | null
}

/** News of a job: as it is now, or that it is gone. */
export type JobChange = { readonly job: JobListItem } | { readonly deleted: string }

/** The list after a change: jobs come in, move on and go at their places, newest first, as the service would list them. */
export function withChange(
  { jobs, nextCursor }: ListedJobs,
  change: JobChange,
  status: JobStatus | undefined,
): ListedJobs {
  const id = 'job' in change ? change.job.id : change.deleted
  const others = jobs.filter((other) => other.id !== id)
  if (!('job' in change) || (status !== undefined && change.job.status !== status))
    return { jobs: others, nextCursor }
  const { job } = change
  const older = others.findIndex((other) => isNewer(job, other))
  if (older !== -1) return { jobs: others.toSpliced(older, 0, job), nextCursor }
  // What is older than all that is listed comes with its page.
  const isBelow = nextCursor !== null && others.length === jobs.length
  return { jobs: isBelow ? others : [...others, job], nextCursor }
}

/** The list with the page that follows it; what both hold is listed once. */
export function withPage({ jobs }: ListedJobs, page: ListedJobs): ListedJobs {
  const listed = new Set(jobs.map(({ id }) => id))
  return { jobs: [...jobs, ...page.jobs.filter(({ id }) => !listed.has(id))], nextCursor: page.nextCursor }
}

/** Whether a change bears on how many jobs there are in each status, as far as the list can tell. */
export function changesCounts({ jobs }: ListedJobs, change: JobChange): boolean {
  if (!('job' in change)) return true
  return jobs.find(({ id }) => id === change.job.id)?.status !== change.job.status
}

function isNewer(job: JobListItem, other: JobListItem): boolean {
  if (job.created_at !== other.created_at) return job.created_at > other.created_at
  return job.id > other.id
}
