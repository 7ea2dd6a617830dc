import { z } from 'zod'
import { MAX_RETENTION_SECONDS, MAX_URLS } from '../../accounts/plan.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import {
  BASE_USES,
  FAILURE_CODES,
  JOB_STATUSES,
  MAX_UNFINISHED_FRACTION,
  REUSE_MODES,
} from '../../vocabulary.ts'
import { dateTime, isObject, runChanges, text, wholeNumber } from '../schemas.ts'
import { jobHeaders, originHeaderNames } from '../sites/schemas.ts'
import { findHints, type KnownFields } from './hints.ts'
import { exactlyOneList, file, listOf, sourceLists, sourceUrl } from './source-schemas.ts'
import { urlError } from './url-error-schema.ts'
import { version } from './version-schema.ts'

// The bodies of requests about jobs.

/** A plan may allow less. */
const LIMITS = { ...REQUEST_LIMITS, urls: MAX_URLS, retentionSeconds: MAX_RETENTION_SECONDS } as const

export const zipFilename = z
  .pipe(
    z.string().overwrite((name) => name.replace(/\.zip$/i, '')),
    text(LIMITS.zipFilenameCharacters)
      .min(1, 'must not be empty')
      .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'must not contain /, \\ or control characters')
      // They make a name look like another one: `annexe\u202egpj.exe` is shown as `annexeexe.jpg`.
      .refine((name) => !/\p{Bidi_Control}/u.test(name), 'must not contain bidirectional controls'),
  )
  .meta({ minLength: 1, pattern: '^[^/\\\\]+$' })

const metadataKey = text(LIMITS.metadataKeyCharacters)
const metadataValue = text(LIMITS.metadataValueCharacters)

/** Not `z.record`, which would drop a pair whose key is `__proto__`. */
export const metadata = z
  .custom<Readonly<Record<string, string>>>(isObject, 'must be an object')
  .superRefine((pairs, context) => {
    const entries = Object.entries(pairs)
    if (entries.length > LIMITS.metadataPairs) {
      context.addIssue({ code: 'custom', message: `must have at most ${LIMITS.metadataPairs} pairs` })
    }
    for (const [key, value] of entries.slice(0, LIMITS.metadataPairs)) {
      const [issue] = [metadataKey.safeParse(key), metadataValue.safeParse(value)].flatMap(
        ({ error }) => error?.issues ?? [],
      )
      if (issue !== undefined) context.addIssue({ code: 'custom', path: [key], message: issue.message })
    }
  })
  .meta({
    type: 'object',
    maxProperties: LIMITS.metadataPairs,
    propertyNames: { maxLength: LIMITS.metadataKeyCharacters },
    additionalProperties: { type: 'string', maxLength: LIMITS.metadataValueCharacters },
  })

const base = z.object({
  job_id: z.guid().toLowerCase(),
  reuse: z
    .enum(REUSE_MODES)
    .describe(
      'all: copy without asking the source. unchanged: copy if the source confirms it (304), else fetch the new version.',
    ),
})

/** `minRetentionSeconds` returns the minimum of all plans, which may change. */
export function createJobBody(minRetentionSeconds: () => number) {
  const fields = z.object({
    ...sourceLists,
    zip_filename: zipFilename
      .nullish()
      .describe('At most 255 characters without .zip, which is appended. Default: archive-<job_id>.zip.'),
    expires_in: retention(minRetentionSeconds)
      .nullish()
      .describe("Seconds until the ZIP is deleted. Default: 86400, or the plan's longest if shorter."),
    fail_on_url_error: z
      .boolean()
      .nullish()
      .describe('Default true: a URL that cannot be fetched fails the job. False skips it.'),
    fail_on_warning: z
      .boolean()
      .nullish()
      .describe(
        'Default false: a web page in place of a file, and an empty file, are in the ZIP with a warning. True: they are URLs ' +
          'that cannot be fetched.',
      ),
    manifest: z
      .boolean()
      .nullish()
      .describe(
        'Default false. True adds two files to the ZIP: sources.jsonl says where each file came from, and SHA256SUMS is for ' +
          'sha256sum --check.',
      ),
    base: base
      .nullish()
      .describe('A completed job of yours: entries of the same URL and filename are copied from its ZIP.'),
    replaces: z
      .guid()
      .toLowerCase()
      .nullish()
      .describe(
        'A job of yours whose share_url opens this job as soon as it is completed. Until then, or if this job fails, it still opens the earlier job.',
      ),
    metadata: metadata.nullish().describe('Pairs of your own, returned with the job.'),
    headers: jobHeaders
      .nullish()
      .describe(
        'Sent to these origins for this job alone. Kept, sealed, until the job can no longer be retried. Values are never returned.',
      ),
    use_sites: z
      .boolean()
      .nullish()
      .describe(
        'Default true: origins also get the headers of your sites, and of those that the owner shares.',
      ),
  })
  const known: KnownFields = { job: Object.keys(fields.shape), file: Object.keys(file.shape) }
  return z.intersection(z.intersection(fields, exactlyOneList), hintsOf(known))
}
export type CreateJobBody = z.infer<ReturnType<typeof createJobBody>>

/** Adds to a valid body what of it is ignored. */
export function hintsOf(known: KnownFields) {
  return z.pipe(
    z.unknown(),
    z.transform((body) => ({ hints: findHints(body, known) })),
  )
}

/** `minRetentionSeconds` returns the minimum of all plans, which may change. */
export function changeJobBody(minRetentionSeconds: () => number) {
  return z
    .object({
      zip_filename: zipFilename.nullish().describe('At most 255 characters without .zip, which is appended.'),
      expires_in: retention(minRetentionSeconds)
        .nullish()
        .describe('Seconds from now until the ZIP is deleted; for an unfinished job, from its end.'),
    })
    .refine((body) => body.zip_filename != null || body.expires_in != null, {
      path: ['zip_filename'],
      message: 'must be given, or expires_in',
    })
    .meta({ minProperties: 1 })
}
/** As in `wholeNumber`, the limits are checked first. */
function retention(minSeconds: () => number) {
  return z
    .number()
    .refine((seconds) => seconds >= minSeconds(), {
      error: () => `must be at least ${minSeconds()}`,
      abort: true,
    })
    .max(LIMITS.retentionSeconds, { abort: true })
    .int()
    .meta({ minimum: minSeconds() })
}

export type ChangeJobBody = z.infer<ReturnType<typeof changeJobBody>>

const replacement = z.object({
  position: wholeNumber(0, LIMITS.urls - 1).describe(
    'The position of a failed URL, or in a completed job of one with a warning, counted from 0.',
  ),
  url: sourceUrl,
})

export const retryBody = z
  .object({
    from_checkpoint: z
      .boolean()
      .nullish()
      .describe('Default true: continue from what was fetched. False starts from scratch.'),
    skip_failed: z.boolean().nullish().describe('Continue without the URLs that failed.'),
    replace: listOf(replacement, 0)
      .nullish()
      .describe('New URLs for failed ones, or for those of a completed job that have a warning.'),
  })
  .nullish()
export type RetryBody = z.infer<typeof retryBody>

/** What of a request was ignored, although a field of it looks like one of ours. */
export const hints = z
  .array(z.object({ path: z.string().describe('The field, as in files.3.headers.'), message: z.string() }))
  .optional()
  .describe('Fields that were ignored, although they look like known ones. Left out when there are none.')
export type HintsJson = z.infer<typeof hints>

// What the service responds about jobs: snake_case, ISO 8601 times in UTC.

export const jobStatus = z.enum(JOB_STATUSES)

export const failure = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
})

const sampledFile = z.object({
  host: z.string(),
  extension: z.string().describe('Of its name, without the dot. Empty if it has none.'),
  size: z.int().nullable().describe('Bytes. Null until it is in the ZIP.'),
})

const doneFraction = z.number().min(0).max(MAX_UNFINISHED_FRACTION)

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
  fail_on_warning: z.boolean(),
  manifest: z.boolean().describe('Whether the ZIP has a list of its sources and of their checksums.'),
  warning_count: z.int().describe('Files in the ZIP that have a warning; live while the job is processing.'),
  progress: doneFraction
    .optional()
    .describe(
      'How much is done, from 0 to 0.99: by bytes where sources declare sizes, estimated elsewhere. Left out once the job has ended.',
    ),
  failure: failure.optional().describe('Of a failed job.'),
  created_at: dateTime,
  completed_at: dateTime.nullable().describe('Null unless the job is completed.'),
  expires_at: dateTime
    .nullable()
    .describe(
      'When the ZIP, or the checkpoint of a failed job, is deleted. Null until the job has ended, and while a schedule keeps the ZIP.',
    ),
  schedule_id: z.uuid().optional().describe('Of a run of a schedule.'),
  changes: runChanges.optional().describe('Of a completed run of a schedule.'),
  sample: z
    .array(sampledFile)
    .optional()
    .describe('Only in GET /jobs with the query field sample. Empty once the URLs are no longer kept.'),
})
export type JobListItemJson = z.infer<typeof jobListItem>

export const job = jobListItem.extend({
  urls: z
    .array(z.string())
    .describe('Empty once they are no longer kept, some days after the job has expired.'),
  files: z
    .array(z.object({ url: z.string(), filename: z.string().optional(), sha256: z.string().optional() }))
    .optional(),
  download_url: z
    .url()
    .optional()
    .describe('While the job is completed and has not expired. Needs no key; keep it secret.'),
  early_download_url: z
    .url()
    .optional()
    .describe(
      'While the job is pending or processing. Sends the ZIP as it grows; if the connection is lost, continue with `Range`. It works until the ' +
        'archive expires. Needs no key; keep it secret.',
    ),
  share_url: z
    .url()
    .optional()
    .describe(
      'Of a page that shows the progress, and later the files and a download button. The same from the creation of the job ' +
        'until it expires; left out while the job is failed, and once another one has replaced it. Needs no key; keep it secret.',
    ),
  replaced_by: z.uuid().optional().describe('The job that share_url opens instead of this one.'),
  earlier_versions: z
    .array(version)
    .optional()
    .describe('The completed jobs that share_url opened before this one, newest first, up to 20.'),
  metadata: z.record(z.string(), z.string()),
  base: base
    .extend({
      reuse: z.enum(BASE_USES).describe('none: a run of a schedule that fetches all sources again.'),
    })
    .optional()
    .describe("As submitted, or the schedule's previous archive. Left out without a base."),
  headers: z
    .array(originHeaderNames)
    .optional()
    .describe(
      'Which headers the job was created with. Left out if there were none, or once its URLs are no longer kept.',
    ),
  use_sites: z.literal(false).optional().describe('Left out if the job uses sites.'),
  reused_count: z
    .int()
    .optional()
    .describe('Files copied from the base; live while the job is processing. Left out without a base.'),
  errors: z.array(urlError).optional().describe('URLs that could not be fetched, in URL order.'),
})
export type JobJson = z.infer<typeof job>

/** Data of a `progress` event. */
export const progress = z.object({
  bytes: z.int().describe('Size of the ZIP so far, as zip_size.'),
  entries: z.int().describe('Files in the ZIP so far, as file_count.'),
  warnings: z.int().describe('How many of them have a warning, as warning_count.'),
  progress: doneFraction
    .optional()
    .describe('How much is done, as progress of the job. Left out once it has ended.'),
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
