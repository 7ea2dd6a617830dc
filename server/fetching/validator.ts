import type { SourceResponse } from './fetch-url.ts'

/** A body that broke off and can go on: how much of it is here, and which version it was. */
export interface ResumePoint {
  readonly receivedBytes: number
  /** Strong entity tag (RFC 9110 section 8.8.3). */
  readonly etag: string
  /** Whole length, where it was declared. */
  readonly totalBytes: number | null
}

/** The entity tag if it is strong: only then are the bytes of two responses those of one version. */
export function strongEtag(headers: Headers): string | null {
  const etag = headers.get('etag')
  return etag !== null && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : null
}

/** Request headers that ask for the rest, or for all if the version has changed (RFC 9110 section 13.1.5). */
export function rangeHeaders(broken: ResumePoint | null): Record<string, string> {
  return broken === null ? {} : { range: `bytes=${broken.receivedBytes}-`, 'if-range': broken.etag }
}

/**
 * What a response is to a broken body: all of a body anew, the rest of this one, or a part of something else,
 * which must never be spliced to it.
 */
export function relationTo(broken: ResumePoint | null, response: SourceResponse): 'all' | 'rest' | 'unfit' {
  if (broken !== null && response.status === 416) return 'unfit'
  if (response.status !== 206) return 'all'
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
  if (broken === null || range === null) return 'unfit'
  const [start, end, total] = range.slice(1).map(Number)
  const isRest =
    start === broken.receivedBytes && end === (total ?? 0) - 1 && total === (broken.totalBytes ?? total)
  const isSameVersion = (strongEtag(response.headers) ?? broken.etag) === broken.etag
  return isRest && isSameVersion ? 'rest' : 'unfit'
}
