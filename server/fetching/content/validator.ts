import type { HeadersFor } from '../fetch-url.ts'
import { parseHttpDate } from '../headers/http-date.ts'
import type { SourceResponse } from '../response.ts'
import type { SourceUrl } from '../source-url.ts'
import { contentCodings } from './content-codings.ts'
import { declaredLength } from './content-length.ts'

/** What a later request sends to ask a source whether its body has changed (RFC 9110 section 8.8). */
export interface Validators {
  /** Entity tag, strong or weak. */
  readonly etag: string | null
  /** Whether the modification time of the body is the `Last-Modified` of the response, and is a validator. */
  readonly hasLastModified: boolean
  /** Identifies the URL that sent the validators, if redirects led there; null for the submitted URL. */
  readonly finalUrlHash: string | null
}

/** A body at one time, as its source describes it. */
interface BodyVersion extends Validators {
  readonly modifiedAtMs: number
}

/**
 * The validators of a response to a request for the submitted URL. A body that was modified less than a minute before can change
 * again within the same second: then its `Last-Modified` is no validator (RFC 9110 section 8.8.2.2), nor is an entity tag that is
 * made of that time.
 */
export function validatorsOf({ headers, url }: SourceResponse, submitted: SourceUrl): Validators {
  const etag = headers.get('etag')
  const isUsable = etag !== null && etag.length <= MAX_ETAG_CHARACTERS && ENTITY_TAG.test(etag)
  const lastModifiedMs = lastModifiedOf(headers)
  const dateMs = parseHttpDate(headers.get('date')) ?? -Infinity
  const isSettled = lastModifiedMs !== null && lastModifiedMs + SETTLED_MS <= dateMs
  const isMadeOfTime = isUsable && lastModifiedMs !== null && containsTime(etag, lastModifiedMs)
  return {
    etag: isUsable && (isSettled || !isMadeOfTime) ? etag : null,
    hasLastModified: isSettled,
    finalUrlHash: finalUrlHash(url, submitted),
  }
}

/** The time in `Last-Modified`, in milliseconds since the epoch; null if absent or invalid. */
export function lastModifiedOf(headers: SourceResponse['headers']): number | null {
  return parseHttpDate(headers.get('last-modified'))
}

/** The validators alone of a record that contains more. */
export function validatorsIn({ etag, hasLastModified, finalUrlHash }: Validators): Validators {
  return { etag, hasLastModified, finalUrlHash }
}

/**
 * Request headers that ask whether a body has changed (RFC 9110 sections 13.1.2 and 13.1.3): `If-None-Match`, else
 * `If-Modified-Since`. Null without a validator.
 */
export function conditionsFor(version: BodyVersion, submitted: SourceUrl): HeadersFor | null {
  const { etag, hasLastModified, modifiedAtMs } = version
  if (etag !== null) return onlyToSender(version, submitted, { 'if-none-match': etag })
  if (!hasLastModified) return null
  return onlyToSender(version, submitted, { 'if-modified-since': new Date(modifiedAtMs).toUTCString() })
}

/**
 * Whether a 304 says what its conditions asked: some servers answer 304 to any condition, and send the validators of another
 * version. A validator that is absent contradicts nothing.
 */
export function isUnchanged(asked: BodyVersion, { headers }: SourceResponse): boolean {
  const etag = headers.get('etag')
  // RFC 9110 section 13.1.2: the weak comparison.
  if (asked.etag !== null && etag !== null) return opaqueTag(etag) === opaqueTag(asked.etag)
  return !asked.hasLastModified || (lastModifiedOf(headers) ?? asked.modifiedAtMs) === asked.modifiedAtMs
}

/** Which bytes of which version of a body are missing, where it can be resumed. */
export interface ResumePoint extends BodyVersion {
  readonly startByte: number
  /** The byte after the last one; null for the end of the body. */
  readonly endByte: number | null
  /** Length of the whole body, if declared. */
  readonly totalBytes: number | null
}

/** Null when the version has no strong validator: then the body must start over. */
export function resumePointOf(point: ResumePoint): ResumePoint | null {
  return isStrong(point) ? point : null
}

/** Whether the version has a strong validator, with which parts of the body can be asked for (RFC 9110 section 13.1.5). */
export function isStrong(version: BodyVersion): boolean {
  return strongValidator(version) !== null
}

/**
 * Request headers for the rest of the body, or for all of it if the version has changed (RFC 9110 section 13.1.5). Another URL is
 * asked for all of it.
 */
export function rangeFrom(point: ResumePoint | null, submitted: SourceUrl): HeadersFor {
  const validator = point === null ? null : strongValidator(point)
  if (point === null || validator === null) return () => null
  return onlyToSender(point, submitted, rangeHeaders(point, validator))
}

/**
 * How a response continues a body that broke off: it contains `all` of a body, from its start, or the `rest` of this body.
 * `unfit` means a part of something else, which must never be appended.
 */
export function relationTo(
  point: ResumePoint | null,
  response: SourceResponse,
  submitted: SourceUrl,
): 'all' | 'rest' | 'unfit' {
  const { status, headers } = response
  if (point !== null && status === 416) return 'unfit'
  const header = headers.get('content-range')
  // Some servers send a part of a body with status 200.
  const isPart = status === 206 || (header !== null && (status === 200 || status === 203))
  if (!isPart) return 'all'
  const range = contentRange(headers)
  if (range === null) return 'unfit'
  if (range.start === 0 && range.end === range.totalBytes - 1) return 'all'
  const isRest = point !== null && isPartAt(point, response)
  return isRest && finalUrlHash(response.url, submitted) === point.finalUrlHash ? 'rest' : 'unfit'
}

/** Request headers for a part of a body, to be sent to the URL that gave its validators. Null without a strong validator. */
export function partHeaders(part: ResumePoint): Readonly<Record<string, string>> | null {
  const validator = strongValidator(part)
  return validator === null ? null : rangeHeaders(part, validator)
}

/** Whether a response from the URL that gave the validators brings exactly this part of this version, byte for byte. */
export function isPartAt(part: ResumePoint, response: SourceResponse): boolean {
  const { status, headers } = response
  const range = contentRange(headers)
  return (
    status === 206 &&
    range !== null &&
    range.start === part.startByte &&
    range.end === (part.endByte ?? range.totalBytes) - 1 &&
    range.totalBytes === (part.totalBytes ?? range.totalBytes) &&
    isSameVersion(part, response)
  )
}

/** The length of the whole body that `Content-Range` tells (RFC 9110 section 14.4); null if it tells none. */
export function wholeBytesOf({ headers }: SourceResponse): number | null {
  return contentRange(headers)?.totalBytes ?? null
}

/**
 * Null also beside a `Content-Length` that contradicts it. That must be known before the first byte: if the job stops or other
 * connections take over the end of the part, nobody sees that the part ends elsewhere, and its bytes would stay.
 */
function contentRange(headers: SourceResponse['headers']) {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  if (range === null) return null
  const [start = 0, end = 0, totalBytes = 0] = range.slice(1).map(Number)
  const lengthBytes = declaredLength(headers)
  return lengthBytes !== null && lengthBytes !== end - start + 1 ? null : { start, end, totalBytes }
}

function rangeHeaders({ startByte, endByte }: ResumePoint, validator: string) {
  return { range: `bytes=${startByte}-${endByte === null ? '' : endByte - 1}`, 'if-range': validator }
}

/** Whether every validator that a 206 has is the one known, byte for byte. */
function isSameVersion(point: ResumePoint, { headers }: SourceResponse): boolean {
  return (
    // The offsets in a coded body are not those in the file.
    contentCodings(headers).length === 0 &&
    (headers.get('etag') ?? point.etag) === point.etag &&
    (lastModifiedOf(headers) ?? point.modifiedAtMs) === point.modifiedAtMs
  )
}

/** The value of `If-Range`. A weak entity tag must not be used there (RFC 9110 section 13.1.5). */
function strongValidator({ etag, hasLastModified, modifiedAtMs }: BodyVersion): string | null {
  if (etag !== null && !etag.startsWith('W/')) return etag
  return hasLastModified ? new Date(modifiedAtMs).toUTCString() : null
}

/** A validator says nothing about the content of another URL, to which the same redirect may lead later. */
function onlyToSender(
  version: Validators,
  submitted: SourceUrl,
  headers: Readonly<Record<string, string>>,
): HeadersFor {
  return (url) => (finalUrlHash(url, submitted) === version.finalUrlHash ? headers : null)
}

/** Null if this is the submitted URL. */
function finalUrlHash(url: SourceUrl, submitted: SourceUrl): string | null {
  if (url.href === submitted.href) return null
  return Bun.hash(url.href).toString(36)
}

/** nginx makes a tag of the modification time in seconds and the size, in hexadecimal digits; others use decimal ones. */
function containsTime(etag: string, timeMs: number): boolean {
  const seconds = Math.floor(timeMs / 1000)
  return etag.includes(String(seconds)) || etag.toLowerCase().includes(seconds.toString(16))
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, '')
}

/** RFC 9110 section 8.8.3. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/** Each entry keeps its tag. Real ones are far shorter. */
const MAX_ETAG_CHARACTERS = 256

/** RFC 9110 section 8.8.2.2. */
const SETTLED_MS = 60_000
