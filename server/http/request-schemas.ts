import { z } from 'zod'
import { MAX_RETENTION_SECONDS, MAX_URLS } from '../accounts/plan.ts'
import { parseDateTime } from '../date-time.ts'
import { describeIssue } from './issue-messages.ts'
import { entryStatus, jobStatus } from './schemas.ts'

// What clients send. Requests are validated by these schemas, and the API reference is made of them.

z.config({ customError: describeIssue })

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
    .meta({ maxLength: maxCharacters })

const wholeNumber = (min: number, max: number) => z.int().min(min).max(max)

const sourceUrl = text(LIMITS.urlCharacters)
  .refine(isFetchable, 'must be an http or https URL')
  .meta({ format: 'uri', description: 'http or https; user:password@ is sent as Basic authentication.' })

function isFetchable(url: string): boolean {
  const protocol = URL.parse(url)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** The number of items is checked before any of them, so that a list of millions costs nothing. */
function listOf<T extends z.ZodType>(item: T, minItems: number) {
  const { $schema, ...items } = z.toJSONSchema(item, { io: 'input' })
  return z.array(z.unknown()).min(minItems).max(LIMITS.urls).pipe(z.array(item)).meta({ items })
}

const file = z.object({
  url: sourceUrl,
  filename: text(LIMITS.filenameCharacters)
    .min(1)
    .nullish()
    .describe('Name in the ZIP; may hold folders, as in 2024/report.pdf. It is made safe.'),
})

const zipFilename = z
  .string()
  .transform((name) => name.replace(/\.zip$/i, ''))
  .pipe(
    text(LIMITS.zipFilenameCharacters)
      .min(1, 'must not be empty')
      .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'must not hold /, \\ or control characters'),
  )
  .meta({ minLength: 1, pattern: '^[^/\\\\]+$' })

const metadataKey = text(LIMITS.metadataKeyCharacters)
const metadataValue = text(LIMITS.metadataValueCharacters)

/** Not `z.record`, which would drop a pair whose key is `__proto__`. */
const metadata = z
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

export const uuidParams = z.object({ id: z.guid().toLowerCase() })
export const tokenParams = z.object({ token: z.string() })

/** Looks at the raw body, beside the fields, so that it is said along with whatever else is wrong. */
const exactlyOneList = z
  .unknown()
  .refine((body) => !isObject(body) || (body.urls == null) !== (body.files == null), {
    path: ['urls'],
    message: 'must be given, or else files, and not both',
    // Else zod would put the raw body together with the fields, which it cannot where one of them was changed.
    abort: true,
  })
  .transform(() => ({}))

/** `minRetentionSeconds` is the least that any plan asks for. */
export function createJobBody(minRetentionSeconds: number) {
  return z
    .object({
      urls: listOf(sourceUrl, 1)
        .nullish()
        .describe('What to fetch. Exactly one of urls and files is needed.'),
      files: listOf(file, 1).nullish().describe('In place of urls: what to fetch, and its names in the ZIP.'),
      zip_filename: zipFilename
        .nullish()
        .describe('At most 255 characters without .zip, which is appended. Default: archive-<job_id>.zip.'),
      expires_in: wholeNumber(minRetentionSeconds, LIMITS.retentionSeconds)
        .nullish()
        .describe("Seconds until the ZIP is deleted. Default: 86400, or the plan's longest if shorter."),
      fail_on_url_error: z
        .boolean()
        .nullish()
        .describe('Default true: a URL that cannot be fetched fails the job. False skips it.'),
      metadata: metadata.nullish().describe('Pairs of your own, given back with the job.'),
    })
    .and(exactlyOneList)
}
export type CreateJobBody = z.infer<ReturnType<typeof createJobBody>>

function isObject(value: unknown): value is { urls?: unknown; files?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const replacement = z.object({
  position: wholeNumber(0, LIMITS.urls - 1).describe('Of a URL that failed, counted from 0.'),
  url: sourceUrl,
})

export const retryBody = z
  .object({
    from_checkpoint: z
      .boolean()
      .nullish()
      .describe('Default true: go on from what was fetched. False starts from scratch.'),
    skip_failed: z.boolean().nullish().describe('Go on without the URLs that failed.'),
    replace: listOf(replacement, 0).nullish().describe('New URLs for failed ones.'),
  })
  .nullish()

const moment = z
  .string()
  .refine(
    (text) => parseDateTime(text) !== null,
    'must be a time with Z or an offset, as in 2030-01-31T12:00:00Z',
  )
  .meta({ format: 'date-time' })

export const createApiKeyBody = z
  .object({
    name: text(LIMITS.nameCharacters).nullish().describe('Default: API key.'),
    expires_at: moment.nullish().describe('In the future, with Z or an offset. Default: never.'),
  })
  .nullish()

export const signInBody = z.object({ token: z.string().describe('What stands behind # in a sign-in link.') })

/** A number in a query string. */
const pageSize = z
  .string('must be a whole number')
  .refine((digits) => /^\d{1,9}$/.test(digits), 'must be a whole number')
  .transform(Number)
  .pipe(wholeNumber(1, LIMITS.pageSize))
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.pageSize,
    description: `Default: ${LIMITS.defaultPageSize}.`,
  })
const cursor = z.string().describe('next_cursor of the page before. Leave it out for the first page.')

export const listJobsQuery = z.object({
  limit: pageSize.optional(),
  cursor: cursor.optional(),
  status: jobStatus.optional(),
})

export const listEntriesQuery = z.object({
  limit: pageSize.optional(),
  cursor: cursor.optional(),
  status: entryStatus.optional(),
})
