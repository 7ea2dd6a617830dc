import { z } from 'zod'
import { type FetchErrorText, fetchErrorTexts } from '../../fetching/fetch-failure.ts'
import { ENTRY_STATUSES, FAILURE_CODES, JOB_STATUSES } from '../../vocabulary.ts'
import { dateTime } from '../field-schemas.ts'
import { base } from './request-schemas.ts'

// What the service responds about jobs: snake_case, ISO 8601 times in UTC.

export const jobStatus = z.enum(JOB_STATUSES)
const entryStatus = z.enum(ENTRY_STATUSES)

export const failure = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
})

const sampledFile = z.object({
  host: z.string(),
  extension: z.string().describe('Of its name, without the dot. Empty if it has none.'),
  size: z.int().nullable().describe('Bytes. Null until it is in the ZIP.'),
})

export const jobListItem = z.object({
  id: z.uuid(),
  status: jobStatus,
  url_count: z.int(),
  file_count: z.int().describe('Files in the ZIP; live while the job is processing.'),
  zip_filename: z.string(),
  zip_size: z
    .int()
    .describe('Bytes; live while the job is processing, and what a failed job still takes on the disk.'),
  fail_on_url_error: z.boolean(),
  failure: failure.optional().describe('Of a failed job.'),
  created_at: dateTime,
  completed_at: dateTime.nullable().describe('Null unless the job is completed.'),
  expires_at: dateTime
    .nullable()
    .describe('When the ZIP, or the checkpoint of a failed job, is deleted. Null until the job has ended.'),
  sample: z
    .array(sampledFile)
    .optional()
    .describe('Only in GET /jobs with the query field sample. Empty once the URLs are no longer kept.'),
})
export type JobListItemJson = z.infer<typeof jobListItem>

/** The closed set of errors of a URL, without HTTP statuses and the plan's limit. The texts are part of the interface. */
export type FetchErrorJson = FetchErrorText

export const urlError = z.object({
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
  share_url: z
    .url()
    .optional()
    .describe(
      'Of a page that shows the progress, and later the files and a download button. The same from the creation of the job ' +
        'until it expires; left out while the job is failed. Needs no key; keep it secret.',
    ),
  metadata: z.record(z.string(), z.string()),
  base: base.optional().describe('As submitted. Left out without a base.'),
  reused_count: z
    .int()
    .optional()
    .describe('Files copied from the base; live while the job is processing. Left out without a base.'),
  errors: z.array(urlError).optional().describe('URLs that could not be fetched, in URL order.'),
})
export type JobJson = z.infer<typeof job>

export const entry = z.object({
  position: z.int(),
  url: z.string(),
  name: z.string().nullable(),
  size: z.int(),
  status: entryStatus,
  error: z.string().nullable(),
})
export type EntryJson = z.infer<typeof entry>

/** Data of a `progress` event. */
export const progress = z.object({
  bytes: z.int().describe('Size of the ZIP so far, as zip_size.'),
  entries: z.int().describe('Files in the ZIP so far, as file_count.'),
  speed: z.int().describe('Bytes per second from the sources.'),
})
export type ProgressJson = z.infer<typeof progress>

export const jobStats = z.object({
  pending: z.int(),
  processing: z.int(),
  completed: z.int(),
  failed: z.int(),
  total: z.int(),
  cancelled: z.int().describe('How many of the failed jobs were cancelled.'),
})
export type JobStatsJson = z.infer<typeof jobStats>
