import { Elysia } from 'elysia'
import type { User } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import type { Job, JobDetail } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import { type Watch, watchJobs } from '../jobs/watch.ts'
import type { Guard } from './authenticate.ts'
import { type EventStreams, event, type Turn } from './event-streams.ts'
import { uuidParams } from './request-schemas.ts'
import type { JobWire } from './schemas.ts'
import { entryToWire, jobToListItem, progressToWire } from './wire.ts'

export interface EventRoutesOptions {
  readonly guard: Guard
  readonly jobs: Jobs
  readonly live: LiveProgress
  readonly streams: EventStreams
  /** The job as `GET /jobs/:id` gives it. */
  toWire(job: JobDetail, request: Request): JobWire
}

/** `GET /jobs/:id/events` and `GET /events`: what changes, as it changes. */
export function eventRoutes({ guard, jobs, live, streams, toWire }: EventRoutesOptions) {
  return new Elysia()
    .use(guard)
    .get(
      '/jobs/:id/events',
      ({ caller, params, request, server, set }) => {
        if (jobs.summary(caller.user, params.id) === null) throw noSuchJob()
        const openWatch = () => watchJobs(live, { jobId: params.id })
        const whole = () => toWire(jobs.get(caller.user, params.id), request)
        return streams.open(
          { caller, request, server, set },
          openWatch,
          jobTurns(caller.user, params.id, whole),
        )
      },
      { params: uuidParams },
    )
    .get('/events', ({ caller, request, server, set }) => {
      const openWatch = () => watchJobs(live, { userId: caller.user.id })
      return streams.open({ caller, request, server, set }, openWatch, listTurns(caller.user))
    })

  /** `snapshot`, then `progress` and `entry` events, at last `end`. A job that is deleted ends without one. */
  function jobTurns(user: User, jobId: string, whole: () => JobWire): (watch: Watch) => Turn {
    let job: Job | null = null
    let told = ''
    return (watch) => {
      const { rowChanged, entries } = watch.take()
      const isFirst = job === null
      if (job === null || rowChanged) job = jobs.summary(user, jobId)
      if (job === null) return { text: '', isLast: true }
      let text = isFirst ? event('snapshot', whole()) : ''
      for (const entry of entries) text += sharedEvent('entry', entry, entryToWire)
      // A job that was done between two turns still tells how far it got.
      const counts = live.counts(jobId) ?? (isFirst ? null : job)
      const progress =
        counts === null ? '' : event('progress', progressToWire(counts, live.bytesPerSecond(jobId)))
      if (progress !== told) text += progress
      told = progress
      return hasEnded(job) ? { text: text + event('end', whole()), isLast: true } : { text, isLast: false }
    }
  }

  /** A `job` event for each job that changed; `deleted` for one that is gone. */
  function listTurns(user: User): (watch: Watch) => Turn {
    let begun = false
    return (watch) => {
      const { jobIds, overflowed } = watch.take()
      // Tells the client that it is connected: what it lists from now on is kept up to date.
      let text = begun ? '' : ':\n\n'
      begun = true
      for (const id of jobIds) {
        const job = jobs.summary(user, id)
        text += job === null ? event('deleted', { id }) : event('job', jobToListItem(job))
      }
      return { text, isLast: overflowed }
    }
  }
}

function hasEnded(job: Job): boolean {
  return job.status === 'completed' || job.status === 'failed'
}

function noSuchJob(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such job.')
}

/** The same row goes to every client that watches the job: it is written out once. */
function sharedEvent<T extends object>(name: string, row: T, toWire: (row: T) => unknown): string {
  const written = WRITTEN.get(row) ?? event(name, toWire(row))
  WRITTEN.set(row, written)
  return written
}

const WRITTEN = new WeakMap<object, string>()
