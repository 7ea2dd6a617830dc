import { z } from 'zod'
import { MAX_RETENTION_SECONDS, MAX_URLS } from '../accounts/plan.ts'

// The shapes of the wire: snake_case, ISO 8601 times in UTC. Requests are validated by them, the API reference is
// made of them, and the UI takes its types from them, so that nothing but what is pure may be imported here.

/** Limits that the specification states for requests (sections 4 and 8); a plan may allow less. */
export const LIMITS = {
  urls: MAX_URLS,
  urlCharacters: 8_192,
  nameCharacters: 255,
  zipFilenameCharacters: 255,
  /** Room for folders: each segment is cut to 255 bytes when it is made safe. */
  filenameCharacters: 4_096,
  metadataPairs: 10,
  metadataKeyCharacters: 128,
  metadataValueCharacters: 1_024,
  retentionSeconds: MAX_RETENTION_SECONDS,
  pageSize: 100,
  defaultPageSize: 20,
} as const

/** Text of at most so many characters; a character is a Unicode code point, whole. */
const text = (maxCharacters: number) =>
  z
    .string()
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode text')
    .refine(
      (value) => value.length <= maxCharacters || [...value].length <= maxCharacters,
      `must have at most ${maxCharacters} characters`,
    )

const wholeNumber = (min: number, max: number) => z.int().min(min).max(max)
const dateTime = z.iso.datetime({ offset: true })
const status = z.enum(['pending', 'processing', 'completed', 'failed'])
const entryStatus = z.enum(['waiting', 'fetching', 'stored', 'failed'])

const sourceUrl = text(LIMITS.urlCharacters).refine(isFetchable, 'must be an http or https URL')

function isFetchable(url: string): boolean {
  const protocol = URL.parse(url)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** The number of items is checked before any of them, so that a list of millions costs nothing. */
const urlList = z
  .array(z.unknown())
  .min(1)
  .max(LIMITS.urls)
  .pipe(z.array(sourceUrl))
  .meta({ items: { type: 'string', format: 'uri', maxLength: LIMITS.urlCharacters } })

const fileList = z
  .array(z.unknown())
  .min(1)
  .max(LIMITS.urls)
  .pipe(z.array(z.object({ url: sourceUrl, filename: text(LIMITS.filenameCharacters).min(1).nullish() })))

const zipFilename = z
  .string()
  .transform((name) => name.replace(/\.zip$/i, ''))
  .pipe(
    text(LIMITS.zipFilenameCharacters)
      .min(1, 'must not be empty')
      .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'must not hold /, \\ or control characters'),
  )

const metadata = z
  .record(text(LIMITS.metadataKeyCharacters), text(LIMITS.metadataValueCharacters))
  .refine((pairs) => Object.keys(pairs).length <= LIMITS.metadataPairs, 'must have at most 10 pairs')

export const uuidParams = z.object({ id: z.guid().toLowerCase() })
export const tokenParams = z.object({ token: z.string() })

/** Looks at the raw body, beside the fields, so that it is said along with whatever else is wrong. */
const exactlyOneList = z
  .unknown()
  .refine((body) => !isObject(body) || (body.urls == null) !== (body.files == null), {
    path: ['urls'],
    message: 'exactly one of urls and files is needed',
  })
  .transform(() => ({}))

export const createJobBody = z
  .object({
    urls: urlList.nullish(),
    files: fileList.nullish(),
    zip_filename: zipFilename.nullish(),
    expires_in: wholeNumber(1, LIMITS.retentionSeconds).nullish(),
    fail_on_url_error: z.boolean().nullish(),
    metadata: metadata.nullish(),
  })
  .and(exactlyOneList)
export type CreateJobBody = z.infer<typeof createJobBody>

function isObject(value: unknown): value is { urls?: unknown; files?: unknown } {
  return typeof value === 'object' && value !== null
}

export const retryBody = z
  .object({
    from_checkpoint: z.boolean().nullish(),
    skip_failed: z.boolean().nullish(),
    replace: z
      .array(z.unknown())
      .max(LIMITS.urls)
      .pipe(z.array(z.object({ position: wholeNumber(0, LIMITS.urls - 1), url: sourceUrl })))
      .nullish(),
  })
  .nullish()

export const createApiKeyBody = z
  .object({ name: text(LIMITS.nameCharacters).nullish(), expires_at: dateTime.nullish() })
  .nullish()

export const signInBody = z.object({ token: z.string() })

/** A number in a query string. */
const pageSize = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(wholeNumber(1, LIMITS.pageSize))

export const listJobsQuery = z.object({
  limit: pageSize.optional(),
  cursor: z.string().optional(),
  status: status.optional(),
})

export const listEntriesQuery = z.object({
  limit: pageSize.optional(),
  cursor: z.string().optional(),
  status: entryStatus.optional(),
})

export const issue = z.object({ path: z.string(), message: z.string() })
export const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({ code: z.string(), message: z.string(), issues: z.array(issue).optional() }),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: dateTime,
  expires_at: dateTime.nullable(),
  last_used_at: dateTime.nullable(),
})
export type ApiKeyWire = z.infer<typeof apiKey>
export const newApiKey = apiKey.extend({ key: z.string() })
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
  status,
  url_count: z.int(),
  /** Entries in the ZIP; live while the job is processing. */
  file_count: z.int(),
  zip_filename: z.string(),
  /** Bytes; live while the job is processing. */
  zip_size: z.int(),
  fail_on_url_error: z.boolean(),
  failure: failure.optional(),
  created_at: dateTime,
  completed_at: dateTime.nullable(),
  expires_at: dateTime.nullable(),
})
export type JobListItemWire = z.infer<typeof jobListItem>

export const job = jobListItem.extend({
  urls: z.array(z.string()),
  files: z.array(z.object({ url: z.string(), filename: z.string().optional() })).optional(),
  download_url: z.url().optional(),
  metadata: z.record(z.string(), z.string()),
  errors: z.array(z.object({ url: z.string(), error: z.string() })).optional(),
})
export type JobWire = z.infer<typeof job>

export const pageMeta = z.object({
  limit: z.int(),
  total: z.int(),
  next_cursor: z.string().nullable(),
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
  /** Size of the ZIP so far, as `zip_size`. */
  bytes: z.int(),
  /** Files in the ZIP so far, as `file_count`. */
  entries: z.int(),
  /** Bytes a second that the sources send. */
  speed: z.int(),
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

export type JobStatsWire = Record<z.infer<typeof status> | 'total', number>
