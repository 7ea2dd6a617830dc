import { z } from 'zod'
import { MAX_URLS } from '../../accounts/plan.ts'
import { parseAuthority } from '../../fetching/parse-authority.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { isObject } from '../../text/parse-json.ts'
import { text } from '../schemas.ts'
import { withShortNames } from './name-lengths.ts'

// The lists of what to fetch: of jobs, of schedules, and of what is only looked at.

export const sourceUrl = text(REQUEST_LIMITS.urlCharacters)
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
    url.length <= REQUEST_LIMITS.urlCharacters &&
    url.isWellFormed() &&
    parseAuthority(url) !== null
  )
}

export function listOf<T extends z.ZodType>(item: T, minItems: number) {
  return describeItems(z.pipe(listOfAnything(minItems), z.array(item)), item)
}

/** The number of items is checked first, so that a list of millions costs nothing. */
function listOfAnything(minItems: number) {
  return z.array(z.unknown()).min(minItems).max(MAX_URLS)
}

/** Adds to the API reference what the items of a list are. Its own schema says only that they are of any kind. */
function describeItems<T extends z.ZodType>(list: T, item: z.ZodType): T {
  const { $schema, ...items } = z.toJSONSchema(item, { io: 'input' })
  return list.meta({ items })
}

const sha256 = z
  .string()
  .regex(/^[\da-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .toLowerCase()

export const file = z.object({
  url: sourceUrl,
  filename: text(REQUEST_LIMITS.filenameCharacters)
    .min(1)
    .nullish()
    .describe('Name in the ZIP. It may contain folders, as in 2024/report.pdf, and is made safe.'),
  sha256: sha256
    .nullish()
    .describe("SHA-256 of the file, in 64 hexadecimal digits. If the file's digest differs, the URL fails."),
})

/** Checks the raw body in addition to the fields, so that one response lists all problems. */
export const exactlyOneList = z.pipe(
  z.unknown().refine((body) => !isObject(body) || (body.urls == null) !== (body.files == null), {
    path: ['urls'],
    message: 'must be given, or else files, and not both',
    // Otherwise, zod would merge the raw body with the fields, and fail where a field was transformed.
    abort: true,
  }),
  z.transform(() => ({})),
)

export const sourceLists = {
  urls: describeItems(z.pipe(listOfAnything(1), sourceUrls), sourceUrl)
    .nullish()
    .describe('What to fetch. Exactly one of urls and files is needed.'),
  files: describeItems(z.pipe(listOfAnything(1), withShortNames(file)), file)
    .nullish()
    .describe('In place of urls: what to fetch, and its names: 2,000,000 characters in all.'),
}

/** The URLs alone, without what to do with them. */
export const sourcesBody = z.intersection(z.object(sourceLists), exactlyOneList)
export type SourcesBody = z.infer<typeof sourcesBody>
