import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { apiKey, entry, job, jobListItem, jobStats, me, newApiKey, pageMeta, progress } from './schemas.ts'

/** What the API reference says of a route beyond the schemas that its requests are validated by. */
export interface Operation {
  readonly tag: 'Jobs' | 'Download' | 'API keys' | 'Account' | 'Service'
  readonly summary: string
  readonly description?: string
  /** Whether it needs no API key. */
  readonly isOpen?: true
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Beside those that the kind of request brings with it. */
  readonly errors?: readonly ErrorCode[]
}

export type Answer =
  | { readonly description: string; readonly json: z.ZodType }
  | {
      readonly description: string
      readonly mediaType: string
      readonly events?: Readonly<Record<string, z.ZodType>>
    }
  | { readonly description: string }

const success = <T extends z.core.$ZodShape>(shape: T) => z.object({ success: z.literal(true), ...shape })
const jobId = { description: 'Done.', json: success({ job_id: z.uuid() }) }
const message = { description: 'Done.', json: success({ message: z.string() }) }

/** A row a route, by method and path: the service does not start with a route that has none. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /jobs': {
    tag: 'Jobs',
    summary: 'Create a job',
    answers: { 201: { description: 'Created: the job is pending.', json: success({ job_id: z.uuid() }) } },
    errors: ['PLAN_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED'],
  },
  'GET /jobs': {
    tag: 'Jobs',
    summary: 'List jobs',
    description: 'Newest first. For the next page pass meta.next_cursor as cursor.',
    answers: {
      200: { description: 'A page.', json: success({ jobs: z.array(jobListItem), meta: pageMeta }) },
    },
  },
  'GET /jobs/stats': {
    tag: 'Jobs',
    summary: 'Count jobs by status',
    answers: { 200: { description: 'The counts.', json: success({ stats: jobStats }) } },
  },
  'GET /jobs/:id': {
    tag: 'Jobs',
    summary: 'Get a job',
    answers: { 200: { description: 'The job.', json: success({ job }) } },
  },
  'GET /jobs/:id/entries': {
    tag: 'Jobs',
    summary: 'List what became of each URL of a job',
    description: 'A row a URL, in URL order.',
    answers: { 200: { description: 'A page.', json: success({ entries: z.array(entry), meta: pageMeta }) } },
  },
  'GET /jobs/:id/events': {
    tag: 'Jobs',
    summary: 'Follow a job',
    description:
      'Server-sent events: a snapshot, then progress and entries as they change, at most ten times a second, at ' +
      'last the end. A stream begins anew with each connection. A comment comes every 15 seconds.',
    answers: {
      200: {
        description: 'The stream.',
        mediaType: 'text/event-stream',
        events: { snapshot: job, progress, entry, end: job },
      },
    },
  },
  'GET /events': {
    tag: 'Jobs',
    summary: 'Follow all jobs',
    description:
      'Server-sent events: job for each job that is new or has changed, deleted for one that is gone. Open the ' +
      'stream, then list: nothing is missed. It begins anew with each connection.',
    answers: {
      200: {
        description: 'The stream.',
        mediaType: 'text/event-stream',
        events: { job: jobListItem, deleted: z.object({ id: z.uuid() }) },
      },
    },
  },
  'POST /jobs/:id/retry': {
    tag: 'Jobs',
    summary: 'Retry a failed job',
    answers: { 200: jobId },
    errors: ['PLAN_LIMIT_EXCEEDED', 'UNAVAILABLE'],
  },
  'POST /jobs/:id/cancel': {
    tag: 'Jobs',
    summary: 'Cancel a job',
    description: 'A pending or processing job becomes failed with CANCELLED; a retry can resume it.',
    answers: { 200: jobId },
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  'DELETE /jobs/:id': {
    tag: 'Jobs',
    summary: 'Delete a job and its ZIP',
    answers: { 200: message },
  },
  'GET /download/:token': {
    tag: 'Download',
    summary: 'Download a ZIP',
    description:
      'Range, If-Range and the other conditional headers of RFC 9110 work as it says; HEAD does, too.',
    isOpen: true,
    answers: {
      200: { description: 'The whole ZIP.', mediaType: 'application/zip' },
      206: { description: 'The range that was asked for.', mediaType: 'application/zip' },
      304: { description: 'The client has this very ZIP.' },
    },
    errors: [
      'INVALID_TOKEN',
      'EXPIRED_TOKEN',
      'PRECONDITION_FAILED',
      'RANGE_NOT_SATISFIABLE',
      'RATE_LIMITED',
    ],
  },
  'GET /api-keys': {
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Newest first, without revoked ones.',
    answers: { 200: { description: 'The keys.', json: success({ api_keys: z.array(apiKey) }) } },
  },
  'POST /api-keys': {
    tag: 'API keys',
    summary: 'Create an API key',
    answers: { 201: { description: 'The key, shown this once.', json: success({ api_key: newApiKey }) } },
    errors: ['PLAN_LIMIT_EXCEEDED'],
  },
  'DELETE /api-keys/:id': {
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'For good. A key may revoke itself.',
    answers: { 200: message },
  },
  'GET /me': {
    tag: 'Account',
    summary: 'Get user, limits and usage',
    description:
      'Usage is the sum over archives, and over checkpoints of failed jobs, of size x days stored in this month (UTC), ' +
      'up to now; a GB is 10^9 bytes.',
    answers: { 200: { description: 'The user.', json: success(me.shape) } },
  },
  'POST /sign-in': {
    tag: 'Account',
    summary: 'Exchange a one-time token for an API key',
    isOpen: true,
    answers: { 201: { description: 'The key, shown this once.', json: success({ api_key: newApiKey }) } },
    errors: ['UNAUTHORIZED', 'PLAN_LIMIT_EXCEEDED', 'RATE_LIMITED'],
  },
  'GET /health': {
    tag: 'Service',
    summary: 'Say whether the service can work',
    isOpen: true,
    answers: {
      200: {
        description:
          'It can. `damaged_archives` counts those whose files are not what was made, if there are any.',
        json: success({ version: z.string(), damaged_archives: z.int().min(1).optional() }),
      },
    },
  },
  'GET /metrics': {
    tag: 'Service',
    summary: 'Get figures of the service',
    description:
      "In Prometheus' text format; from the machine of the service, or with the metrics token as bearer.",
    isOpen: true,
    answers: { 200: { description: 'The figures.', mediaType: 'text/plain' } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'RATE_LIMITED'],
  },
  'GET /openapi.json': {
    tag: 'Service',
    summary: 'Get this document',
    isOpen: true,
    answers: { 200: { description: 'OpenAPI 3.1.', mediaType: 'application/json' } },
  },
  'GET /docs': {
    tag: 'Service',
    summary: 'Read this document as a page',
    isOpen: true,
    answers: { 200: { description: 'A page.', mediaType: 'text/html' } },
  },
  'GET /docs/reference.css': {
    tag: 'Service',
    summary: 'Get the style of that page',
    isOpen: true,
    answers: { 200: { description: 'A style sheet.', mediaType: 'text/css' } },
  },
}
