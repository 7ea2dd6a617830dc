import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import { fetchErrorTexts } from '../fetching/fetch-failure.ts'

// What the service answers: snake_case, ISO 8601 times in UTC. The API reference is made of these schemas, and the UI
// takes its types from them.

export const dateTime = z.iso.datetime({ offset: true })
export const jobStatus = z.enum(['pending', 'processing', 'completed', 'failed'])
export const entryStatus = z.enum(['waiting', 'fetching', 'stored', 'failed'])

export const issue = z.object({
  path: z.string().describe('The field, as in urls.3; empty for the whole body.'),
  message: z.string(),
})
export const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string().meta({ enum: [...ERROR_CODES] }),
    message: z.string().describe('A sentence that a person can act on.'),
    issues: z.array(issue).optional().describe('All that is wrong with the request, up to 20.'),
  }),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: dateTime,
  expires_at: dateTime.nullable().describe('Null: never.'),
  last_used_at: dateTime.nullable().describe('Null: not yet.'),
})
export type ApiKeyWire = z.infer<typeof apiKey>
export const newApiKey = apiKey.extend({ key: z.string().describe('The secret, shown this once.') })
export type NewApiKeyWire = z.infer<typeof newApiKey>

const failure = z.object({
  code: z.enum([
    'URL_FAILED',
    'ALL_URLS_FAILED',
    'ZIP_SIZE_EXCEEDED',
    'DISK_FULL',
    'CANCELLED',
    'INTERNAL_ERROR',
  ]),
  message: z.string(),
})

export const jobListItem = z.object({
  id: z.uuid(),
  status: jobStatus,
  url_count: z.int(),
  file_count: z.int().describe('Files in the ZIP; live while the job is processing.'),
  zip_filename: z.string(),
  zip_size: z
    .int()
    .describe('Bytes; live while the job is processing, and what a failed one still holds on the disk.'),
  fail_on_url_error: z.boolean(),
  failure: failure.optional().describe('Of a failed job.'),
  created_at: dateTime,
  completed_at: dateTime.nullable().describe('Null unless the job is completed.'),
  expires_at: dateTime
    .nullable()
    .describe('When the ZIP, or the checkpoint of a failed job, is deleted. Null until the job has ended.'),
})
export type JobListItemWire = z.infer<typeof jobListItem>

const urlError = z.object({
  url: z.string(),
  error: z
    .string()
    .describe(
      `HTTP <status code>, ZIP size limit exceeded (<limit>), or one of: ${fetchErrorTexts.join(', ')}.`,
    ),
})

export const job = jobListItem.extend({
  urls: z
    .array(z.string())
    .describe('Empty once they are no longer kept, some days after the job has expired.'),
  files: z.array(z.object({ url: z.string(), filename: z.string().optional() })).optional(),
  download_url: z
    .url()
    .optional()
    .describe('While the job is completed and has not expired. Needs no key; keep it secret.'),
  metadata: z.record(z.string(), z.string()),
  errors: z.array(urlError).optional().describe('URLs that could not be fetched, in URL order.'),
})
export type JobWire = z.infer<typeof job>

export const pageMeta = z.object({
  limit: z.int(),
  total: z.int(),
  next_cursor: z.string().nullable().describe('Null at the end.'),
  has_more: z.boolean(),
})
export type PageMetaWire = z.infer<typeof pageMeta>

export const entry = z.object({
  position: z.int(),
  url: z.string(),
  name: z.string().nullable(),
  size: z.int(),
  status: entryStatus,
  error: z.string().nullable(),
})
export type EntryWire = z.infer<typeof entry>

/** Data of a `progress` event. */
export const progress = z.object({
  bytes: z.int().describe('Size of the ZIP so far, as zip_size.'),
  entries: z.int().describe('Files in the ZIP so far, as file_count.'),
  speed: z.int().describe('Bytes a second that the sources send.'),
})
export type ProgressWire = z.infer<typeof progress>

export const me = z.object({
  user: z.object({ id: z.uuid(), name: z.string(), plan: z.enum(['free', 'pro']) }),
  limits: z.object({
    max_urls: z.int(),
    max_zip_bytes: z.int(),
    max_retention_seconds: z.int(),
    min_retention_seconds: z.int(),
  }),
  usage: z.object({ month: z.string(), gb_days: z.number(), quota_gb_days: z.number().nullable() }),
})
export type MeWire = z.infer<typeof me>

export const jobStats = z.object({
  pending: z.int(),
  processing: z.int(),
  completed: z.int(),
  failed: z.int(),
  total: z.int(),
})
export type JobStatsWire = z.infer<typeof jobStats>
