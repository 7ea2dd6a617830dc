import type { SourceResponse } from './fetch-url.ts'

/** Where a body that broke off can be resumed: how many bytes of which version were received. */
export interface ResumePoint {
  readonly receivedBytes: number
  /** Strong entity tag (RFC 9110 section 8.8.3). */
  readonly etag: string
  /** Length of the whole body, if declared. */
  readonly totalBytes: number | null
}

/** The entity tag if it is strong: only then do equal tags mean equal bytes. */
export function strongEtag(headers: Headers): string | null {
  const etag = headers.get('etag')
  return etag !== null && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : null
}

/** Request headers for the rest of the body, or for all of it if the version has changed (RFC 9110 section 13.1.5). */
export function rangeHeaders(resumePoint: ResumePoint | null): Record<string, string> {
  if (resumePoint === null) return {}
  return { range: `bytes=${resumePoint.receivedBytes}-`, 'if-range': resumePoint.etag }
}

/**
 * How a response continues a body that broke off: it contains `all` of a body, from its start, or the `rest` of this body.
 * `unfit` means a part of something else, which must never be appended.
 */
export function relationTo(
  resumePoint: ResumePoint | null,
  response: SourceResponse,
): 'all' | 'rest' | 'unfit' {
  if (resumePoint !== null && response.status === 416) return 'unfit'
  if (response.status !== 206) return 'all'
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
  if (resumePoint === null || range === null) return 'unfit'
  const [start, end, total] = range.slice(1).map(Number)
  const isRest =
    start === resumePoint.receivedBytes &&
    end === (total ?? 0) - 1 &&
    total === (resumePoint.totalBytes ?? total)
  const isSameVersion = (strongEtag(response.headers) ?? resumePoint.etag) === resumePoint.etag
  return isRest && isSameVersion ? 'rest' : 'unfit'
}
