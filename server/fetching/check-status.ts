import { FetchFailure } from './fetch-failure.ts'
import type { SourceResponse } from './response.ts'

/** @throws FetchFailure `HTTP <status>` unless the response contains the requested body */
export function checkStatus(response: SourceResponse): void {
  const transferCoding = response.headers.get('transfer-encoding')?.trim().toLowerCase() ?? 'chunked'
  // Bun's fetch does not decode `gzip, chunked` (RFC 9112 section 7): these bytes would not be the file's.
  if (transferCoding !== 'chunked' && transferCoding !== 'identity')
    throw new FetchFailure('Malformed response')
  if (response.status >= 200 && response.status < 300) return
  throw new FetchFailure(`HTTP ${response.status}`, {
    retryAfterMs: retryAfterMs(response.headers, Date.now()),
  })
}

/** The wait in `Retry-After`, given in seconds or as a date (RFC 9110 section 10.2.3); null if absent or invalid. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
