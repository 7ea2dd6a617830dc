import { type StreamHandlers, subscribeToEvents } from './event-stream.ts'
import type { Entry, Job, JobListItem, Progress } from './types.ts'

/** The events of one job's stream. `end` is the last one. */
export interface JobEvents {
  readonly snapshot: Job
  readonly progress: Progress
  readonly entry: Entry
  readonly end: Job
}

/** The events of the stream of all jobs. */
export interface JobListEvents {
  readonly job: JobListItem
  readonly deleted: { readonly id: string }
}

export function subscribeToJob(id: string, handlers: StreamHandlers<JobEvents>, signal: AbortSignal): void {
  subscribeToEvents(`/jobs/${encodeURIComponent(id)}/events`, handlers, signal)
}

export function subscribeToJobs(handlers: StreamHandlers<JobListEvents>, signal: AbortSignal): void {
  subscribeToEvents('/events', handlers, signal)
}
