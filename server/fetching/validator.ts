import type { SourceResponse } from './response.ts'
import type { SourceUrl } from './source-url.ts'

/** What a later request sends to ask a source whether its body has changed (RFC 9110 section 8.8). */
export interface Validators {
  /** Entity tag, strong or weak. */
  readonly etag: string | null
  /** Whether the modification time of the body is the `Last-Modified` of the response. */
  readonly hasLastModified: boolean
  /** Identifies the URL that sent the validators, if redirects led there; null for the submitted URL. */
  readonly finalUrlHash: string | null
}

/** The validators of a response to a request for the submitted URL. The caller has parsed its `Last-Modified`. */
export function validatorsOf(
  { headers, url }: SourceResponse,
  submitted: SourceUrl,
  hasLastModified: boolean,
): Validators {
  const etag = headers.get('etag')
  return {
    etag: etag !== null && etag.length <= MAX_ETAG_CHARACTERS && ENTITY_TAG.test(etag) ? etag : null,
    hasLastModified,
    finalUrlHash: finalUrlHash(url, submitted),
  }
}

/** The validators alone of a record that contains more. */
export function validatorsIn({ etag, hasLastModified, finalUrlHash }: Validators): Validators {
  return { etag, hasLastModified, finalUrlHash }
}

/**
 * Request headers that ask whether a body has changed (RFC 9110 sections 13.1.2 and 13.1.3): `If-None-Match`, else
 * `If-Modified-Since`. Null without a validator.
 */
export function conditionHeaders(
  { etag, hasLastModified }: Validators,
  modifiedAtMs: number,
): Record<string, string> | null {
  if (etag !== null) return { 'if-none-match': etag }
  return hasLastModified ? { 'if-modified-since': new Date(modifiedAtMs).toUTCString() } : null
}

/**
 * Null if this is the submitted URL. A validator says nothing about the content of another URL, to which the same redirect may
 * lead later.
 */
export function finalUrlHash(url: SourceUrl, submitted: SourceUrl): string | null {
  if (url.href === submitted.href) return null
  return Bun.hash(url.href).toString(36)
}

/** Where a body that broke off can be resumed: how many bytes of which version were received. */
export interface ResumePoint {
  readonly receivedBytes: number
  /** Strong entity tag (RFC 9110 section 8.8.3). */
  readonly etag: string
  /** Length of the whole body, if declared. */
  readonly totalBytes: number | null
}

/** The entity tag if it is strong: only then do equal tags mean equal bytes. */
export function strongTag(etag: string | null): string | null {
  return etag !== null && !etag.startsWith('W/') && ENTITY_TAG.test(etag) ? etag : null
}

/**
 * Request headers for the rest of the body, or for all of it if the version has changed (RFC 9110 section 13.1.5). Null when there
 * is nothing to resume.
 */
export function rangeHeaders(resumePoint: ResumePoint | null): Record<string, string> | null {
  if (resumePoint === null) return null
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
  const isSameVersion = (strongTag(response.headers.get('etag')) ?? resumePoint.etag) === resumePoint.etag
  return isRest && isSameVersion ? 'rest' : 'unfit'
}

/** RFC 9110 section 8.8.3. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** Each entry keeps its tag. Real ones are far shorter. */
const MAX_ETAG_CHARACTERS = 256
