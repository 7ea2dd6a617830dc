import { z } from 'zod'
import { REQUEST_LIMITS } from '../request-limits.ts'
import { describeIssue } from './issue-messages.ts'
import { onDemand } from './on-demand.ts'

// Fields that several resources share. The schemas validate requests, and the API reference is generated from them.

z.config({ customError: describeIssue })

export const dateTime = z.iso.datetime({ offset: true })

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

export const wholeNumber = (min: number, max: number) => z.int().min(min).max(max)

export const uuidParams = z.object({ id: z.guid().toLowerCase() })

export const DEFAULT_PAGE_SIZE = 20

/** In a query string, a number is text. */
export const queryNumber = (max: number, description: string) =>
  z
    .string('must be a whole number')
    .refine((digits) => /^\d{1,9}$/.test(digits), 'must be a whole number')
    .transform(Number)
    .pipe(wholeNumber(1, max))
    .meta({ type: 'integer', minimum: 1, maximum: max, description })

const pageQueryUpTo = (maxPageSize: number) =>
  z.object({
    limit: queryNumber(maxPageSize, `Default: ${DEFAULT_PAGE_SIZE}.`).optional(),
    cursor: z
      .string()
      .describe('next_cursor of the previous page. Leave it out for the first page.')
      .optional(),
  })

/** The query fields of every list. */
export const pageQuery = pageQueryUpTo(REQUEST_LIMITS.pageSize)

/** The same for the URLs of a job, and the files of an archive. */
export const entryPageQuery = pageQueryUpTo(REQUEST_LIMITS.entryPageSize)

export const pageMeta = onDemand(() =>
  z.object({
    limit: z.int(),
    total: z.int(),
    next_cursor: z.string().nullable().describe('Null at the end.'),
    has_more: z.boolean(),
  }),
)
export type PageMetaJson = z.infer<ReturnType<typeof pageMeta>>

export function pageMetaToJson(limit: number, total: number, nextCursor: string | null): PageMetaJson {
  return { limit, total, next_cursor: nextCursor, has_more: nextCursor !== null }
}
