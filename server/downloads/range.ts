// server/decisions/downloads.md says why several ranges get the whole file, and libraries.md why this is our own.

import type { ByteRange } from '../bytes.ts'

/** The result of the conditional headers of a request (RFC 9110, section 13.2.2). */
export type ConditionalOutcome = 'proceed' | 'not-modified' | 'precondition-failed'

/**
 * What a response says of its version (RFC 9110, section 8.8): a strong entity tag, and a time in whole seconds since the epoch; null while
 * it grows.
 */
export interface SentValidators {
  readonly etag: string
  readonly lastModifiedSeconds: number | null
}

/** Evaluates the preconditions of a GET or HEAD, in the order that RFC 9110 section 13.2.2 gives. */
export function evaluateConditions(headers: Headers, current: SentValidators): ConditionalOutcome {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, current.etag, 'strong')) return 'precondition-failed'
  } else {
    const unmodifiedSince = seconds(headers.get('if-unmodified-since'))
    if (isLater(current.lastModifiedSeconds, unmodifiedSince)) return 'precondition-failed'
  }
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, current.etag, 'weak') ? 'not-modified' : 'proceed'
  const modifiedSince = seconds(headers.get('if-modified-since'))
  if (modifiedSince === null || current.lastModifiedSeconds === null) return 'proceed'
  return isLater(current.lastModifiedSeconds, modifiedSince) ? 'proceed' : 'not-modified'
}

function isLater(lastModifiedSeconds: number | null, seconds: number | null): boolean {
  return lastModifiedSeconds !== null && seconds !== null && lastModifiedSeconds > seconds
}

/** Positions of files from `first` to `last`, both included. */
export interface PositionRange {
  readonly first: number
  readonly last: number
}

/**
 * The part of a representation that a request asks for (RFC 9110, section 14.2). A range that ends after the last byte is
 * cut; a range that begins there can't be satisfied (section 15.5.17). A malformed `Range`, several ranges, and an
 * `If-Range` that does not match get the whole representation (sections 14.2, 13.1.5).
 */
export function selectRange(
  headers: Headers,
  current: SentValidators,
  sizeBytes: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = SINGLE_RANGE.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || `${first}${last}` === '') return 'whole'
  if (!rangeApplies(headers.get('if-range'), current)) return 'whole'
  if (first === '') return satisfiable(Math.max(0, sizeBytes - Number(last)), sizeBytes, sizeBytes)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  const isBackwards = last !== '' && Number(last) < Number(first)
  return isBackwards && Number(first) < sizeBytes ? 'whole' : satisfiable(Number(first), end, sizeBytes)
}

/**
 * Where the part begins that a request asks for of a representation that still grows. The end of its range does not count: clients
 * take a part with an end for the whole. Null for all requests that get the whole representation, such as those for its last bytes.
 */
export function rangeStart(headers: Headers, current: SentValidators): number | null {
  const [, first, last] = SINGLE_RANGE.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || first === '') return null
  if (last !== '' && Number(last) < Number(first)) return null
  return rangeApplies(headers.get('if-range'), current) ? Number(first) : null
}

function satisfiable(start: number, end: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  return start < sizeBytes ? { start, end } : 'unsatisfiable'
}

/** Accepts spaces where Bun does. If this did not match, Bun would respond to the range itself. */
const SINGLE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

function rangeApplies(ifRange: string | null, current: SentValidators): boolean {
  if (ifRange === null || ifRange === '' || ifRange === current.etag) return true
  return current.lastModifiedSeconds !== null && seconds(ifRange) === current.lastModifiedSeconds
}

/** Section 8.8.3.2: strong comparison matches no weak tag; weak comparison ignores `W/`. */
function listsTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag)
}

/** Section 13.1.3: a date that cannot be read is ignored. */
function seconds(date: string | null): number | null {
  const time = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}
