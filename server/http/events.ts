import { Elysia } from 'elysia'
import type { User } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import type { Entry, Job, JobDetail } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import { type Watch, watchJobs } from '../jobs/watch.ts'
import type { Guard } from './authenticate.ts'
import { type EventStreams, event, longEvent, type Turn } from './event-streams.ts'
import { uuidParams } from './request-schemas.ts'
import { entryToWire, jobToListItem, progressToWire } from './wire.ts'

export interface EventRoutesOptions {
  readonly guard: Guard
  readonly jobs: Jobs
  readonly live: LiveProgress
  readonly streams: EventStreams
  /** JSON of the job as `GET /jobs/:id` gives it. */
  toJson(job: JobDetail, request: Request): Iterable<string>
}

/** `GET /jobs/:id/events` and `GET /events`: what changes, as it changes. */
export function eventRoutes({ guard, jobs, live, streams, toJson }: EventRoutesOptions) {
  return new Elysia()
    .use(guard)
    .get(
      '/jobs/:id/events',
      ({ caller, params, request, server, set }) => {
        if (jobs.summary(caller.user, params.id) === null) throw noSuchJob()
        const openWatch = () => watchJobs(live, { jobId: params.id })
        const whole = () => toJson(jobs.get(caller.user, params.id), request)
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
  function jobTurns(user: User, jobId: string, whole: () => Iterable<string>): (watch: Watch) => Turn {
    let job: Job | null = null
    let told = ''
    return (watch) => {
      const { rowChanged, entries } = watch.take()
      const isFirst = job === null
      if (job === null || rowChanged) job = jobs.summary(user, jobId)
      if (job === null) return { pieces: [], isLast: true }
      // A job that was done between two turns still tells how far it got.
      const counts = live.counts(jobId) ?? (isFirst ? null : job)
      const progress =
        counts === null ? '' : event('progress', progressToWire(counts, live.bytesPerSecond(jobId)))
      const isNews = progress !== told
      told = progress
      const isLast = hasEnded(job)
      return { pieces: piecesOf({ isFirst, entries, progress: isNews ? progress : '', isLast }), isLast }
    }

    function* piecesOf(news: News): Generator<string> {
      if (news.isFirst) yield* longEvent('snapshot', whole())
      for (const entry of news.entries) yield sharedEvent('entry', entry, entryToWire)
      yield news.progress
      if (news.isLast) yield* longEvent('end', whole())
    }
  }

  /** A `job` event for each job that changed; `deleted` for one that is gone. */
  function listTurns(user: User): (watch: Watch) => Turn {
    let begun = false
    return (watch) => {
      const { jobIds, overflowed } = watch.take()
      // Tells the client that it is connected: what it lists from now on is kept up to date.
      const greeting = begun ? '' : ':\n\n'
      begun = true
      return { pieces: piecesOf(greeting, jobIds), isLast: overflowed }
    }

    function* piecesOf(greeting: string, jobIds: readonly string[]): Generator<string> {
      yield greeting
      for (const id of jobIds) {
        const job = jobs.summary(user, id)
        yield job === null ? event('deleted', { id }) : event('job', jobToListItem(job))
      }
    }
  }
}

/** What a turn of a job's stream tells of it. */
interface News {
  readonly isFirst: boolean
  readonly entries: readonly Entry[]
  readonly progress: string
  readonly isLast: boolean
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
