import { z } from 'zod'

/**
 * Milliseconds since the epoch of an ISO 8601 datetime in the extended format with `Z` or an offset, as in
 * `2030-01-31T12:00:00Z` or `2030-01-31T12:00+01:00`. Null for anything else, for days that do not exist, and for years
 * of more than four digits in UTC, since responses show times in UTC.
 */
export function parseDateTime(text: string): number | null {
  if (!FORMATS.some((format) => format.safeParse(text).success)) return null
  const time = Date.parse(text)
  return time < YEAR_10000 ? time : null
}

const YEAR_10000 = Date.UTC(10_000, 0)

/** With seconds or fractions of them, and with minutes alone, which RFC 3339 does not allow. */
const FORMATS = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]
