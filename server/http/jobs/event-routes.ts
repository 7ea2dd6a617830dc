import { Elysia } from 'elysia'
import { z } from 'zod'
import type { User } from '../../accounts/user.ts'
import { openChangeCollector } from '../../jobs/changes.ts'
import { type Entry, hasEnded, type Job, type JobDetail, jobNotFound } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { JobChange, LiveProgress } from '../../jobs/progress.ts'
import type { Authentication } from '../authenticate.ts'
import { operation } from '../operation.ts'
import { uuidParams } from '../schemas.ts'
import { entry as entrySchema } from './entry-schemas.ts'
import { type EventStreams, event, longEvent, type NextUpdate } from './event-streams.ts'
import { entryToJson, jobToListItem, progressToJson } from './json.ts'
import { jobListItem, job as jobSchema, progress as progressSchema } from './schemas.ts'

export interface EventRoutesOptions {
  readonly authentication: Authentication
  readonly jobs: Jobs
  readonly live: LiveProgress
  readonly streams: EventStreams
  /** JSON of the job as `GET /jobs/:id` gives it. */
  toJson(job: JobDetail, request: Request): Iterable<string>
}

/** `GET /jobs/:id/events` and `GET /events`: changes as they happen. */
export function eventRoutes({ authentication, jobs, live, streams, toJson }: EventRoutesOptions) {
  return new Elysia()
    .use(authentication)
    .get(
      '/jobs/:id/events',
      ({ caller, params, request, server, set }) => {
        if (jobs.summary(caller.user, params.id) === null) throw jobNotFound()
        const openChanges = () => openChangeCollector(live, { jobId: params.id })
        const wholeJob = () => toJson(jobs.get(caller.user, params.id), request)
        const nextUpdate = jobUpdates(caller.user, params.id, wholeJob)
        return streams.open({ caller, request, server, set }, openChanges, nextUpdate)
      },
      {
        params: uuidParams,
        detail: operation({
          tag: 'Jobs',
          id: 'followJob',
          summary: 'Follow a job',
          description:
            'Server-sent events: a snapshot, then progress and entries as they change, at most ten times per second, ' +
            'then the end. A job that is renamed meanwhile sends a snapshot again. Each connection starts a new stream. A comment is sent every 15 seconds.',
          success: {
            200: {
              description: 'The stream.',
              mediaType: 'text/event-stream',
              events: {
                snapshot: jobSchema,
                progress: progressSchema,
                entry: entrySchema,
                end: jobSchema,
              },
            },
          },
        }),
      },
    )
    .get(
      '/events',
      ({ caller, request, server, set }) => {
        const openChanges = () => openChangeCollector(live, { userId: caller.user.id })
        return streams.open({ caller, request, server, set }, openChanges, listUpdates(caller.user))
      },
      {
        detail: operation({
          tag: 'Jobs',
          id: 'followJobs',
          summary: 'Follow all jobs',
          description:
            'Server-sent events: job for each new or changed job, deleted for each deleted job. Open the stream first, ' +
            'then list the jobs, so that you miss no change. Each connection starts a new stream.',
          success: {
            200: {
              description: 'The stream.',
              mediaType: 'text/event-stream',
              events: { job: jobListItem, deleted: z.object({ id: z.uuid() }) },
            },
          },
        }),
      },
    )

  /** `snapshot`, then `progress` and `entry` events, then `end`. The stream of a deleted job ends without `end`. */
  function jobUpdates(user: User, jobId: string, wholeJob: () => Iterable<string>): NextUpdate {
    let job: Job | null = null
    let sentProgress = ''
    return (changes) => {
      const { rowChanged, entries } = changes.take()
      const isFirst = job === null
      const knownName = job?.zipFilename
      if (job === null || rowChanged) job = jobs.summary(user, jobId)
      if (job === null) return { pieces: [], isLast: true }
      const isRenamed = !isFirst && job.zipFilename !== knownName
      // A job that ended between two updates still gets its last progress event.
      const counts = live.counts(jobId) ?? (isFirst ? null : job)
      const progress =
        counts === null ? '' : event('progress', progressToJson(counts, live.bytesPerSecond(jobId)))
      const newProgress = progress === sentProgress ? '' : progress
      sentProgress = progress
      const isLast = hasEnded(job)
      const needsSnapshot = isFirst || isRenamed
      return { pieces: piecesOf({ needsSnapshot, entries, progress: newProgress, isLast }), isLast }
    }

    function* piecesOf({ needsSnapshot, entries, progress, isLast }: JobUpdate): Generator<string> {
      if (needsSnapshot) yield* wholeJobEvent('snapshot')
      for (const entry of entries) yield entryEvent(entry)
      yield progress
      if (isLast) yield* wholeJobEvent('end')
    }

    /** Nothing when the job was deleted since the update was made. */
    function* wholeJobEvent(name: string): Generator<string> {
      if (jobs.summary(user, jobId) !== null) yield* longEvent(name, wholeJob())
    }
  }

  /** A `job` event for each job that changed, and a `deleted` event for each job that was deleted. */
  function listUpdates(user: User): NextUpdate {
    let isFirst = true
    return (changes) => {
      const { jobs: changed, overflowed } = changes.take()
      // Tells the client that the stream now collects changes: a client that requests the list now misses none.
      const comment = isFirst ? ':\n\n' : ''
      isFirst = false
      return { pieces: piecesOf(comment, changed), isLast: overflowed }
    }

    function* piecesOf(comment: string, changed: readonly JobChange[]): Generator<string> {
      yield comment
      for (const change of changed) yield LIST_EVENTS.getOrInsertComputed(change, () => listEvent(change))
    }

    function listEvent({ jobId }: JobChange): string {
      const job = jobs.summary(user, jobId)
      return job === null ? event('deleted', { id: jobId }) : event('job', jobToListItem(job))
    }
  }
}

/** The parts of one update of a job's stream. */
interface JobUpdate {
  readonly needsSnapshot: boolean
  readonly entries: readonly Entry[]
  /** A `progress` event, or '' when nothing changed. */
  readonly progress: string
  readonly isLast: boolean
}

/** Every client that watches a list gets the same change of a job: the text of its event is generated once. */
const LIST_EVENTS = new WeakMap<JobChange, string>()

/** Every client that watches a job gets the same entry: its text is generated once. */
function entryEvent(entry: Entry): string {
  const text = ENTRY_EVENTS.get(entry) ?? event('entry', entryToJson(entry))
  ENTRY_EVENTS.set(entry, text)
  return text
}

const ENTRY_EVENTS = new WeakMap<Entry, string>()
