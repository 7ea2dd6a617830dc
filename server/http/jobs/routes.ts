import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Plans } from '../../accounts/plan.ts'
import type { User } from '../../accounts/user.ts'
import type { JobDetail } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Entries } from '../../jobs/reading/entries.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, MAX_JOB_BODY_BYTES, skipBody } from '../body/json-body.ts'
import type { ResponseMemory } from '../body/response-memory.ts'
import { enclose, jsonResponse } from '../body/text-stream.ts'
import type { Turns } from '../body/turns.ts'
import { pageJson, pageMetaToJson } from '../json.ts'
import { jobIdResponse, messageResponse, operation, successBody } from '../operation.ts'
import { DEFAULT_PAGE_SIZE, pageMeta, uuidParams } from '../schemas.ts'
import { entry, manifestLine } from './entry-schemas.ts'
import {
  entryToJson,
  jobToListItem,
  sampleToJson,
  statsToJson,
  toEntryFilter,
  toJobFilter,
  toNewJob,
} from './json.ts'
import { listEntriesQuery, listJobsQuery } from './list-schemas.ts'
import {
  changeJobBody,
  createJobBody,
  hints,
  type JobListItemJson,
  job,
  jobListItem,
  jobStats,
  retryBody,
} from './schemas.ts'

export interface JobRoutesOptions {
  readonly authentication: Authentication
  readonly jobs: Jobs
  readonly plans: Plans
  readonly entries: Entries
  readonly jsonBody: JsonBody
  readonly memory: ResponseMemory
  readonly turns: Turns
  /** JSON of the job with a download URL that the client of the request can reach. */
  toJson(job: JobDetail, request: Request): Iterable<string>
}

/** Specification, sections 4.4 to 4.7, and our own additions. */
export function jobRoutes(options: JobRoutesOptions) {
  const { authentication, jobs, plans, entries, jsonBody, memory, turns, toJson } = options
  const minRetentionSeconds = () => Math.min(...Object.values(plans).map((plan) => plan.minRetentionSeconds))
  return (
    new Elysia({ prefix: '/jobs' })
      .use(authentication)
      // Requests about jobs can take milliseconds each. Other requests are answered between them.
      .onBeforeHandle(({ caller }) => turns.next(caller.user.id))
      .post(
        '',
        async ({ caller, body, set, status }) => {
          const id = await jobs.create(caller.user, toNewJob(body), () => turns.next(caller.user.id))
          // Relative to `/jobs`, since a proxy may serve the service below a path.
          set.headers.location = `jobs/${id}`
          return status(201, {
            success: true,
            job_id: id,
            ...(body.hints.length > 0 && { hints: body.hints }),
          })
        },
        {
          parse: jsonBody(MAX_JOB_BODY_BYTES),
          body: createJobBody(minRetentionSeconds),
          detail: operation({
            tag: 'Jobs',
            id: 'createJob',
            summary: 'Create a job',
            description:
              'With base, entries are copied from a ZIP that an earlier job has made, and only the rest is fetched.',
            success: {
              201: {
                description: 'Created: the job is pending.',
                json: successBody({ job_id: z.uuid(), hints }),
              },
            },
            errors: ['PLAN_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
          }),
        },
      )
      .get(
        '',
        async ({ caller, query }) => {
          const { limit = DEFAULT_PAGE_SIZE, cursor = null, search: text, sample } = query
          const wanted = { limit, cursor, filter: toJobFilter(query) }
          const page =
            text === undefined
              ? jobs.list(caller.user, wanted)
              : await jobs.search(caller.user, { ...wanted, text }, () => turns.next(caller.user.id))
          const items: JobListItemJson[] = page.jobs.map(jobToListItem)
          if (sample !== undefined) {
            for (const [index, job] of page.jobs.entries()) {
              // The URLs of one sample may take a megabyte.
              await turns.next(caller.user.id)
              items[index] = { ...jobToListItem(job), sample: sampleToJson(jobs.sample(job, sample)) }
            }
          }
          return { success: true, jobs: items, meta: pageMetaToJson(limit, page.total, page.nextCursor) }
        },
        {
          query: listJobsQuery,
          detail: operation({
            tag: 'Jobs',
            id: 'listJobs',
            summary: 'List jobs',
            description: 'Newest first. For the next page pass meta.next_cursor as cursor.',
            success: {
              200: {
                description: 'A page.',
                json: successBody({ jobs: z.array(jobListItem), meta: pageMeta }),
              },
            },
          }),
        },
      )
      .get('/stats', ({ caller }) => ({ success: true, stats: statsToJson(jobs.stats(caller.user)) }), {
        detail: operation({
          tag: 'Jobs',
          id: 'countJobs',
          summary: 'Count jobs by status',
          success: { 200: { description: 'The counts.', json: successBody({ stats: jobStats }) } },
        }),
      })
      .get('/:id', ({ caller, params, request }) => jobResponse(caller.user, params.id, request), {
        params: uuidParams,
        detail: operation({
          tag: 'Jobs',
          id: 'getJob',
          summary: 'Get a job',
          success: { 200: { description: 'The job.', json: successBody({ job: job }) } },
        }),
      })
      .patch(
        '/:id',
        ({ caller, params, body, request }) => {
          jobs.change(caller.user, params.id, {
            zipBasename: body.zip_filename ?? null,
            expiresInSeconds: body.expires_in ?? null,
          })
          return jobResponse(caller.user, params.id, request)
        },
        {
          params: uuidParams,
          parse: jsonBody(MAX_BODY_BYTES),
          body: changeJobBody(minRetentionSeconds),
          detail: operation({
            tag: 'Jobs',
            id: 'changeJob',
            summary: 'Rename the ZIP of a job, or keep it longer or shorter',
            description:
              'Not for a job that has expired. Download links that were given out keep working until the new expiry.',
            success: { 200: { description: 'The job.', json: successBody({ job: job }) } },
            errors: ['PLAN_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED'],
          }),
        },
      )
      .get(
        '/:id/entries',
        ({ caller, params, query }) => {
          const { limit = DEFAULT_PAGE_SIZE, cursor = null } = query
          const page = entries.list(caller.user, params.id, { limit, cursor, ...toEntryFilter(query) })
          const meta = pageMetaToJson(limit, page.total, page.nextCursor)
          return respond(caller.user, pageJson('entries', page.entries, entryToJson, meta))
        },
        {
          params: uuidParams,
          query: listEntriesQuery,
          detail: operation({
            tag: 'Jobs',
            id: 'listEntries',
            summary: 'List the result of each URL of a job',
            description: 'One row per URL, in URL order.',
            success: {
              200: {
                description: 'A page.',
                json: successBody({ entries: z.array(entry), meta: pageMeta }),
              },
            },
          }),
        },
      )
      .get(
        '/:id/manifest',
        ({ caller, params }) =>
          respond(caller.user, entries.manifest(caller.user, params.id), 'application/x-ndjson'),
        {
          params: uuidParams,
          detail: operation({
            tag: 'Jobs',
            id: 'getManifest',
            summary: 'List where each file of a ZIP came from, with its checksum',
            description:
              'The lines of sources.jsonl in the ZIP: one per file, in URL order; what is not known is null. Only for a completed job ' +
              'that was created with manifest. Without user information of URLs, and with REDACTED in place of what signs or authorises.',
            success: {
              200: {
                description: 'A line of JSON per file.',
                mediaType: 'application/x-ndjson',
                line: manifestLine,
              },
            },
          }),
        },
      )
      .post(
        '/:id/retry',
        async ({ caller, params, body }) => {
          const wanted = {
            fromCheckpoint: body?.from_checkpoint ?? true,
            skipFailed: body?.skip_failed ?? false,
            replace: body?.replace ?? [],
          }
          const id = await jobs.retry(caller.user, params.id, wanted, () => turns.next(caller.user.id))
          return { success: true, job_id: id }
        },
        {
          params: uuidParams,
          parse: jsonBody(MAX_JOB_BODY_BYTES),
          body: retryBody,
          detail: operation({
            tag: 'Jobs',
            id: 'retryJob',
            summary: 'Retry a failed job, or replace URLs of a completed one that have a warning',
            description:
              'A failed job runs again. For a completed one, replace makes a new job with it as the base: job_id is that of the ' +
              'new job, and the ZIP of the old one stays until it expires.',
            success: { 200: jobIdResponse },
            errors: ['PLAN_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED', 'UNAVAILABLE'],
          }),
        },
      )
      .post(
        '/:id/cancel',
        async ({ caller, params }) => {
          await jobs.cancel(caller.user, params.id)
          return { success: true, job_id: params.id }
        },
        {
          params: uuidParams,
          parse: jsonBody(MAX_BODY_BYTES),
          detail: operation({
            tag: 'Jobs',
            id: 'cancelJob',
            summary: 'Cancel a job',
            description: 'A pending or processing job becomes failed with CANCELLED; a retry can resume it.',
            success: { 200: jobIdResponse },
            errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
          }),
        },
      )
      .delete(
        '/:id',
        async ({ caller, params }) => {
          await jobs.remove(caller.user, params.id)
          return { success: true, message: 'Job deleted' }
        },
        {
          params: uuidParams,
          parse: skipBody,
          detail: operation({
            tag: 'Jobs',
            id: 'deleteJob',
            summary: 'Delete a job and its ZIP',
            success: { 200: messageResponse },
          }),
        },
      )
  )

  /** Begins in a turn of its own: hundreds of requests may arrive together. */
  async function jobResponse(user: User, jobId: string, request: Request): Promise<Response> {
    await turns.next(user.id)
    const json = toJson(jobs.get(user, jobId), request)
    return respond(user, enclose('{"success":true,"job":', json, '}'))
  }

  /** Long JSON is generated while the user reads it, in turns. */
  function respond(
    user: User,
    json: Iterable<string>,
    contentType?: Parameters<typeof jsonResponse>[4],
  ): Response {
    return jsonResponse(json, memory, () => turns.next(user.id), 200, contentType)
  }
}
