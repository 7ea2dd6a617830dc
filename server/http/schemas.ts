import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import { REQUEST_LIMITS } from '../request-limits.ts'
import { describeIssue } from '../text/issue-messages.ts'
import { parseDateTime } from '../time/date-time.ts'
import { WARNING_CODES } from '../vocabulary.ts'

// What several resources share: fields, pages of lists, and the error. The schemas validate requests, and the API reference is
// generated from them.

z.config({ customError: describeIssue })

export const dateTime = z.iso.datetime({ offset: true })

/** A time in a request. */
export const timeWithOffset = z
  .string()
  .refine(
    (text) => parseDateTime(text) !== null,
    'must be a time with Z or an offset, as in 2030-01-31T12:00:00Z',
  )
  .meta({ format: 'date-time' })

/** A character is a Unicode code point. */
export const text = (maxCharacters: number) =>
  z
    .string()
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode text')
    .refine(
      (value) => value.length <= maxCharacters || [...value].length <= maxCharacters,
      `must have at most ${maxCharacters} characters`,
    )
    .meta({ maxLength: maxCharacters })

/** The limits are checked first: for 1e30 the message names `max`, and not the largest number that is exact. */
export const wholeNumber = (min: number, max: number) =>
  z.number().min(min, { abort: true }).max(max, { abort: true }).int()

export const uuidParams = z.object({ id: z.guid().toLowerCase() })

export const DEFAULT_PAGE_SIZE = 20

/** In a query string, a number is text. */
export const queryNumber = (max: number, description: string) =>
  z
    .pipe(z.pipe(digits, z.transform(Number)), wholeNumber(1, max))
    .meta({ type: 'integer', minimum: 1, maximum: max, description })

const digits = z
  .string('must be a whole number')
  .refine((text) => /^\d{1,9}$/.test(text), 'must be a whole number')

/** The fields of the query of a list: which page of it, of how many items. */
export const pageFields = (maxPageSize: number = REQUEST_LIMITS.pageSize) => ({
  limit: queryNumber(maxPageSize, `Default: ${DEFAULT_PAGE_SIZE}.`).optional(),
  cursor: z
    .string()
    .describe('next_cursor of the previous page. Leave it out for the first page.')
    .optional(),
})

/** The same for the URLs of a job, and the files of an archive, whose pages may be longer. */
export const entryPageFields = () => pageFields(REQUEST_LIMITS.entryPageSize)

export const pageQuery = z.object(pageFields())

/** Of lists that are short for most users, whose first page then has everything. */
export const longPageQuery = z.object({
  ...pageFields(),
  limit: queryNumber(REQUEST_LIMITS.pageSize, `Default: ${REQUEST_LIMITS.pageSize}.`).optional(),
})

export const entryPageQuery = z.object(entryPageFields())

export const pageMeta = z.object({
  limit: z.int(),
  total: z.int(),
  next_cursor: z.string().nullable().describe('Null at the end.'),
  has_more: z.boolean(),
})
export type PageMetaJson = z.infer<typeof pageMeta>

/** What looks wrong with a file that is in the ZIP all the same, or with the login for one that is not. */
export const warning = z.object({
  code: z
    .enum(WARNING_CODES)
    .describe(
      'HTML_INSTEAD: a web page where the name or the URL says another kind of file. EMPTY: 0 bytes. LOGIN_REFUSED: the ' +
        'source has answered 401 or 403 to the headers of a site, which the message names.',
    ),
  message: z.string(),
})

/** What a completed run of a schedule has changed, compared with the archive before. */
export const runChanges = z.object({
  added: z.int().describe('Files that the previous archive does not have.'),
  changed: z.int().describe('Files with other bytes.'),
  unchanged: z.int().describe('Files with the same bytes, whether or not they were fetched again.'),
  kept: z.int().describe('Files whose source fails now: the last good ones were copied.'),
  gone: z.int().describe('Files of the previous archive that this one does not have.'),
})
export type RunChangesJson = z.infer<typeof runChanges>

/** The body of every error. */
export const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string().describe('A sentence that a person can act on.'),
    issues: z
      .array(
        z.object({
          path: z.string().describe('The field, as in urls.3; empty for the whole body.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('All that is wrong with the request, up to 20.'),
  }),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
