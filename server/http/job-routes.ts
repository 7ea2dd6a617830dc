import { Elysia } from 'elysia'
import type { Plans } from '../accounts/plan.ts'
import type { Entries } from '../jobs/entries.ts'
import type { JobDetail, NewJob } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Authentication } from './authenticate.ts'
import type { GarbageCollector } from './garbage-collector.ts'
import { type JsonBody, MAX_BODY_BYTES, MAX_JOB_BODY_BYTES, skipBody } from './json-body.ts'
import {
  type CreateJobBody,
  createJobBody,
  LIMITS,
  listEntriesQuery,
  listJobsQuery,
  retryBody,
  uuidParams,
} from './request-schemas.ts'
import { enclose, jsonResponse } from './text-stream.ts'
import { entryToWire, jobToListItem, pageMeta } from './wire.ts'

export interface JobRoutesOptions {
  readonly authentication: Authentication
  readonly jobs: Jobs
  readonly plans: Plans
  readonly entries: Entries
  readonly jsonBody: JsonBody
  readonly collector: GarbageCollector
  /** JSON of the job with a download URL that the client of the request can reach. */
  toJson(job: JobDetail, request: Request): Iterable<string>
}

/** Specification, sections 4.4 to 4.7, and what the decisions add to them. */
export function jobRoutes({
  authentication,
  jobs,
  plans,
  entries,
  jsonBody,
  collector,
  toJson,
}: JobRoutesOptions) {
  const minRetentionSeconds = Math.min(...Object.values(plans).map((plan) => plan.minRetentionSeconds))
  return new Elysia({ prefix: '/jobs' })
    .use(authentication)
    .post(
      '',
      ({ caller, body, set, status }) => {
        const id = jobs.create(caller.user, toNewJob(body))
        // Relative to `/jobs`: the service may lie below a path of a proxy.
        set.headers.location = `jobs/${id}`
        return status(201, { success: true, job_id: id })
      },
      { parse: jsonBody(MAX_JOB_BODY_BYTES), body: createJobBody(minRetentionSeconds) },
    )
    .get(
      '',
      ({ caller, query }) => {
        const limit = query.limit ?? LIMITS.defaultPageSize
        const page = jobs.list(caller.user, {
          limit,
          cursor: query.cursor ?? null,
          status: query.status ?? null,
        })
        return {
          success: true,
          jobs: page.jobs.map(jobToListItem),
          meta: pageMeta(limit, page.total, page.nextCursor),
        }
      },
      { query: listJobsQuery },
    )
    .get('/stats', ({ caller }) => {
      const counts = jobs.stats(caller.user)
      const total = counts.pending + counts.processing + counts.completed + counts.failed
      return { success: true, stats: { ...counts, total } }
    })
    .get(
      '/:id',
      ({ caller, params, request }) => {
        const job = toJson(jobs.get(caller.user, params.id), request)
        return jsonResponse(enclose('{"success":true,"job":', job, '}'), collector)
      },
      { params: uuidParams },
    )
    .get(
      '/:id/entries',
      ({ caller, params, query }) => {
        const limit = query.limit ?? LIMITS.defaultPageSize
        const page = entries.list(caller.user, params.id, {
          limit,
          cursor: query.cursor ?? null,
          status: query.status ?? null,
        })
        return {
          success: true,
          entries: page.entries.map(entryToWire),
          meta: pageMeta(limit, page.total, page.nextCursor),
        }
      },
      { params: uuidParams, query: listEntriesQuery },
    )
    .post(
      '/:id/retry',
      async ({ caller, params, body }) => {
        await jobs.retry(caller.user, params.id, {
          fromCheckpoint: body?.from_checkpoint ?? true,
          skipFailed: body?.skip_failed ?? false,
          replace: body?.replace ?? [],
        })
        return { success: true, job_id: params.id }
      },
      { params: uuidParams, parse: jsonBody(MAX_JOB_BODY_BYTES), body: retryBody },
    )
    .post(
      '/:id/cancel',
      async ({ caller, params }) => {
        await jobs.cancel(caller.user, params.id)
        return { success: true, job_id: params.id }
      },
      { params: uuidParams, parse: jsonBody(MAX_BODY_BYTES) },
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await jobs.remove(caller.user, params.id)
        return { success: true, message: 'Job deleted' }
      },
      { params: uuidParams, parse: skipBody },
    )
}

function toNewJob(body: CreateJobBody): NewJob {
  const urls = body.urls?.map((url) => ({ url, filename: null }))
  const files = body.files?.map(({ url, filename }) => ({ url, filename: filename ?? null }))
  return {
    sources: urls ?? files ?? [],
    asFiles: files !== undefined,
    zipBasename: body.zip_filename ?? null,
    expiresInSeconds: body.expires_in ?? null,
    failOnUrlError: body.fail_on_url_error ?? true,
    metadata: body.metadata ?? {},
  }
}
