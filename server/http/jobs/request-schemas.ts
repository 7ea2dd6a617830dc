import { z } from 'zod'
import { MAX_RETENTION_SECONDS, MAX_URLS } from '../../accounts/plan.ts'
import { parseAuthority } from '../../fetching/parse-authority.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { REUSE_MODES } from '../../vocabulary.ts'
import { text, wholeNumber } from '../field-schemas.ts'

// The bodies of requests about jobs.

/** A plan may allow less. */
const LIMITS = {
  ...REQUEST_LIMITS,
  urls: MAX_URLS,
  retentionSeconds: MAX_RETENTION_SECONDS,
} as const

export const sourceUrl = text(LIMITS.urlCharacters)
  .refine((url) => parseAuthority(url) !== null, 'must be an http or https URL')
  .meta({ format: 'uri', description: 'http or https; user:password@ is sent as Basic authentication.' })

/** The URLs of a list. Only those that may be invalid go through the schema, which takes 6 ms for the first 5,000. */
const sourceUrls = z.custom<string[]>().superRefine((urls, context) => {
  urls.forEach((url, index) => {
    if (isSurelyValid(url)) return
    for (const { message } of sourceUrl.safeParse(url).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [index], message })
  })
})

/** Whether this is a URL that the schema would accept. False leaves the decision, and the message, to the schema. */
function isSurelyValid(url: unknown): boolean {
  return (
    typeof url === 'string' &&
    url.length <= LIMITS.urlCharacters &&
    url.isWellFormed() &&
    parseAuthority(url) !== null
  )
}

function listOf<T extends z.ZodType>(item: T, minItems: number) {
  return describeItems(z.pipe(listOfAnything(minItems), z.array(item)), item)
}

/** The number of items is checked first, so that a list of millions costs nothing. */
function listOfAnything(minItems: number) {
  return z.array(z.unknown()).min(minItems).max(LIMITS.urls)
}

function describeItems<T extends z.ZodType>(list: T, item: z.ZodType): T {
  // For the API reference. Not by `z.meta`, which would call the getter: to generate the items takes a millisecond.
  z.globalRegistry.add(list, {
    get items() {
      const { $schema, ...items } = z.toJSONSchema(item, { io: 'input' })
      return items
    },
  })
  return list
}

const file = z.object({
  url: sourceUrl,
  filename: text(LIMITS.filenameCharacters)
    .min(1)
    .nullish()
    .describe('Name in the ZIP. It may contain folders, as in 2024/report.pdf, and is made safe.'),
})

const zipFilename = z
  .pipe(
    z.string().overwrite((name) => name.replace(/\.zip$/i, '')),
    text(LIMITS.zipFilenameCharacters)
      .min(1, 'must not be empty')
      .refine((name) => !/[/\\\p{Cc}]/u.test(name), 'must not contain /, \\ or control characters'),
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

export const base = z.object({
  job_id: z.guid().toLowerCase(),
  reuse: z
    .enum(REUSE_MODES)
    .describe(
      'all: copy without asking the source. unchanged: copy if the source confirms it (304), else fetch the new version.',
    ),
})

/** Checks the raw body in addition to the fields, so that one response lists all problems. */
const exactlyOneList = z.pipe(
  z.unknown().refine((body) => !isObject(body) || (body.urls == null) !== (body.files == null), {
    path: ['urls'],
    message: 'must be given, or else files, and not both',
    // Otherwise, zod would merge the raw body with the fields, and fail where a field was transformed.
    abort: true,
  }),
  z.transform(() => ({})),
)

/** `minRetentionSeconds` is the minimum of all plans. */
export function createJobBody(minRetentionSeconds: number) {
  return z.intersection(
    z.object({
      urls: describeItems(z.pipe(listOfAnything(1), sourceUrls), sourceUrl)
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
      base: base
        .nullish()
        .describe('A completed job of yours: entries of the same URL and filename are copied from its ZIP.'),
      metadata: metadata.nullish().describe('Pairs of your own, returned with the job.'),
    }),
    exactlyOneList,
  )
}
export type CreateJobBody = z.infer<ReturnType<typeof createJobBody>>

/** `minRetentionSeconds` is the minimum of all plans. */
export function changeJobBody(minRetentionSeconds: number) {
  return z
    .object({
      zip_filename: zipFilename.nullish().describe('At most 255 characters without .zip, which is appended.'),
      expires_in: wholeNumber(minRetentionSeconds, LIMITS.retentionSeconds)
        .nullish()
        .describe('Seconds from now until the ZIP is deleted; for an unfinished job, from its end.'),
    })
    .refine((body) => body.zip_filename != null || body.expires_in != null, {
      path: ['zip_filename'],
      message: 'must be given, or expires_in',
    })
    .meta({ minProperties: 1 })
}
export type ChangeJobBody = z.infer<ReturnType<typeof changeJobBody>>

function isObject(value: unknown): value is { urls?: unknown; files?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const replacement = z.object({
  position: wholeNumber(0, LIMITS.urls - 1).describe('The position of a failed URL, counted from 0.'),
  url: sourceUrl,
})

export const retryBody = z
  .object({
    from_checkpoint: z
      .boolean()
      .nullish()
      .describe('Default true: continue from what was fetched. False starts from scratch.'),
    skip_failed: z.boolean().nullish().describe('Continue without the URLs that failed.'),
    replace: listOf(replacement, 0).nullish().describe('New URLs for failed ones.'),
  })
  .nullish()
export type RetryBody = z.infer<typeof retryBody>
