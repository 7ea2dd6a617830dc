import { z } from 'zod'

/**
 * Milliseconds since the epoch of an ISO 8601 datetime in the extended format with `Z` or an offset, as in
 * `2030-01-31T12:00:00Z` or `2030-01-31T12:00+01:00`; null for anything else, days that no month has included.
 */
export function parseDateTime(text: string): number | null {
  return FORMATS.some((format) => format.safeParse(text).success) ? Date.parse(text) : null
}

/** To the second, or finer; and to the minute, which RFC 3339 does not know. */
const FORMATS = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]
