import { z } from 'zod'
import { type FetchErrorText, fetchErrorTexts } from '../../fetching/fetch-failure.ts'
import { ENTRY_STATUSES, FAILURE_CODES, JOB_STATUSES } from '../../vocabulary.ts'
import { dateTime, described } from '../field-schemas.ts'
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
  extension: described(z.string(), 'Of its name, without the dot. Empty if it has none.'),
  size: described(z.nullable(z.int()), 'Bytes. Null until it is in the ZIP.'),
})

export const jobListItem = z.object({
  id: z.uuid(),
  status: jobStatus,
  url_count: z.int(),
  file_count: described(z.int(), 'Files in the ZIP; live while the job is processing.'),
  zip_filename: z.string(),
  zip_size: described(
    z.int(),
    'Bytes; live while the job is processing, and what a failed job still takes on the disk.',
  ),
  fail_on_url_error: z.boolean(),
  failure: described(z.optional(failure), 'Of a failed job.'),
  created_at: dateTime,
  completed_at: described(z.nullable(dateTime), 'Null unless the job is completed.'),
  expires_at: described(
    z.nullable(dateTime),
    'When the ZIP, or the checkpoint of a failed job, is deleted. Null until the job has ended.',
  ),
  sample: described(
    z.optional(z.array(sampledFile)),
    'Only in GET /jobs with the query field sample. Empty once the URLs are no longer kept.',
  ),
})
export type JobListItemJson = z.infer<typeof jobListItem>

/** The closed set of errors of a URL, without HTTP statuses and the plan's limit. The texts are part of the interface. */
export type FetchErrorJson = FetchErrorText

export const urlError = z.object({
  url: z.string(),
  error: described(
    z.string(),
    `HTTP <status code>, ZIP size limit exceeded (<limit>), or one of: ${fetchErrorTexts.join(', ')}.`,
  ),
})

export const job = jobListItem.extend({
  urls: described(
    z.array(z.string()),
    'Empty once they are no longer kept, some days after the job has expired.',
  ),
  files: z.optional(z.array(z.object({ url: z.string(), filename: z.optional(z.string()) }))),
  download_url: described(
    z.optional(z.url()),
    'While the job is completed and has not expired. Needs no key; keep it secret.',
  ),
  share_url: described(
    z.optional(z.url()),
    'Of a page that shows the progress, and later the files and a download button. The same from the creation of the job ' +
      'until it expires; left out while the job is failed. Needs no key; keep it secret.',
  ),
  metadata: z.record(z.string(), z.string()),
  base: described(z.optional(base), 'As submitted. Left out without a base.'),
  reused_count: described(
    z.optional(z.int()),
    'Files copied from the base; live while the job is processing. Left out without a base.',
  ),
  errors: described(z.optional(z.array(urlError)), 'URLs that could not be fetched, in URL order.'),
})
export type JobJson = z.infer<typeof job>

export const entry = z.object({
  position: z.int(),
  url: z.string(),
  name: z.nullable(z.string()),
  size: z.int(),
  status: entryStatus,
  error: z.nullable(z.string()),
})
export type EntryJson = z.infer<typeof entry>

/** Data of a `progress` event. */
export const progress = z.object({
  bytes: described(z.int(), 'Size of the ZIP so far, as zip_size.'),
  entries: described(z.int(), 'Files in the ZIP so far, as file_count.'),
  speed: described(z.int(), 'Bytes per second from the sources.'),
})
export type ProgressJson = z.infer<typeof progress>

export const jobStats = z.object({
  pending: z.int(),
  processing: z.int(),
  completed: z.int(),
  failed: z.int(),
  total: z.int(),
  cancelled: described(z.int(), 'How many of the failed jobs were cancelled.'),
})
export type JobStatsJson = z.infer<typeof jobStats>
