import type { PageMetaJson } from './schemas.ts'

// What the JSON of several resources shares.

/** @param time milliseconds since the epoch */
export function iso(time: number): string {
  return new Date(time).toISOString()
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}

export function pageMetaToJson(limit: number, total: number, nextCursor: string | null): PageMetaJson {
  return { limit, total, next_cursor: nextCursor, has_more: nextCursor !== null }
}
