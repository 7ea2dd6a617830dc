/** What the conditional headers of a request come to (RFC 9110, section 13.2.2). */
export type ConditionalOutcome = 'proceed' | 'not-modified' | 'precondition-failed'

/** What is compared with them: a strong entity tag and a time in whole seconds since the epoch. */
export interface Validators {
  readonly etag: string
  readonly lastModifiedSeconds: number
}

/** Evaluates the preconditions of a GET or HEAD, in the order that RFC 9110 section 13.2.2 gives. */
export function evaluateConditions(headers: Headers, current: Validators): ConditionalOutcome {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, current.etag, 'strong')) return 'precondition-failed'
  } else {
    const unmodifiedSince = seconds(headers.get('if-unmodified-since'))
    if (unmodifiedSince !== null && current.lastModifiedSeconds > unmodifiedSince)
      return 'precondition-failed'
  }
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, current.etag, 'weak') ? 'not-modified' : 'proceed'
  const modifiedSince = seconds(headers.get('if-modified-since'))
  return modifiedSince !== null && current.lastModifiedSeconds <= modifiedSince ? 'not-modified' : 'proceed'
}

/**
 * Whether the request asks for one range that begins behind the end (RFC 9110, section 15.5.17). An unreadable
 * `Range`, several ranges, or an `If-Range` that does not fit leave the whole representation (sections 14.2, 13.1.5).
 */
export function isUnsatisfiable(headers: Headers, current: Validators, sizeBytes: number): boolean {
  const [, first, last] = SINGLE_RANGE.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || !rangeApplies(headers.get('if-range'), current))
    return false
  if (first === '') return last !== '' && (Number(last) === 0 || sizeBytes === 0)
  if (last !== '' && Number(last) < Number(first)) return false
  return Number(first) >= sizeBytes
}

const SINGLE_RANGE = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i

function rangeApplies(ifRange: string | null, current: Validators): boolean {
  if (ifRange === null || ifRange === current.etag) return true
  return seconds(ifRange) === current.lastModifiedSeconds
}

/** Section 8.8.3.2: a weak tag never matches strongly; weakly, `W/` makes no difference. */
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
