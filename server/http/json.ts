import { KEPT_BY_SCHEDULE, type RunChanges } from '../jobs/job.ts'
import type { PageMetaJson, RunChangesJson } from './schemas.ts'

// What the JSON of several resources shares.

/** @param time milliseconds since the epoch */
export function iso(time: number): string {
  return new Date(time).toISOString()
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}

/** The expiry of an archive. Null also for one that its schedule keeps, whose end no clock tells. */
export function expiryOrNull(time: number | null): string | null {
  return time === KEPT_BY_SCHEDULE ? null : isoOrNull(time)
}

export function changesToJson({ keptFrom: _, ...counts }: RunChanges): RunChangesJson {
  return counts
}

/** The JSON of a page of a list, in pieces, each generated on demand. */
export function* pageJson<T>(
  name: string,
  items: Iterable<T>,
  toJson: (item: T) => unknown,
  meta: PageMetaJson,
): Generator<string> {
  yield `{"success":true,${JSON.stringify(name)}:[`
  let before = ''
  for (const item of items) {
    yield before + JSON.stringify(toJson(item))
    before = ','
  }
  yield `],"meta":${JSON.stringify(meta)}}`
}

export function pageMetaToJson(limit: number, total: number, nextCursor: string | null): PageMetaJson {
  return { limit, total, next_cursor: nextCursor, has_more: nextCursor !== null }
}
