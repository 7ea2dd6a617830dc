import { type Follower, followEvents } from './event-stream.ts'
import type { Entry, Job, JobListItem, Progress } from './types.ts'

/** What a job's own stream tells; `end` is its last word, and the stream ends with it. */
export interface JobEvents {
  readonly snapshot: Job
  readonly progress: Progress
  readonly entry: Entry
  readonly end: Job
}

/** What the stream of all jobs tells. */
export interface JobListEvents {
  readonly job: JobListItem
  readonly deleted: { readonly id: string }
}

export function followJob(id: string, follower: Follower<JobEvents>, signal: AbortSignal): void {
  followEvents(`/jobs/${encodeURIComponent(id)}/events`, follower, signal)
}

export function followJobs(follower: Follower<JobListEvents>, signal: AbortSignal): void {
  followEvents('/events', follower, signal)
}
