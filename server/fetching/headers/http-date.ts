/**
 * Milliseconds since the epoch of an HTTP date: in the format of today or one of the two obsolete ones (RFC 9110 section 5.6.7),
 * or in another that names a year and a time of day, which some servers send. A time without a zone is in UTC. Null for anything
 * else, such as `0` or `-1`.
 */
export function parseHttpDate(text: string | null): number | null {
  if (text === null || !YEAR.test(text) || !TIME_OF_DAY.test(text)) return null
  const time = Date.parse(ZONE.test(text) ? text : `${text} GMT`)
  return Number.isNaN(time) ? null : time
}

/** Two digits as in RFC 850. */
const YEAR = /\b\d{4}\b|-\d{2}\b/
const TIME_OF_DAY = /\d{1,2}:\d{2}/
const ZONE = /(?:[a-z]{1,5}|[+-]\d{2}:?\d{2})\s*$/i
