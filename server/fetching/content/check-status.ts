import { FetchFailure } from '../attempts/fetch-failure.ts'
import type { FetchedResponse } from '../fetch-url.ts'
import { parseHttpDate } from '../headers/http-date.ts'
import { isRefusal } from '../headers/origin-headers.ts'
import type { SourceResponse } from '../response.ts'

/**
 * Other 2xx bring no file: 202 often is the challenge page of a firewall, 204 and 205 have no content (RFC 9110 section 15.3),
 * and 226 may bring the difference to another version (RFC 3229).
 * @throws FetchFailure `HTTP <status>` unless the response contains the requested body
 */
export function checkStatus(response: AnsweredRequest): void {
  const { status, headers, logins = [] } = response
  if (FILE_STATUSES.has(status)) return
  const waitMs = retryAfterMs(headers, Date.now())
  const isPrepared = status === 202 && waitMs !== null
  const refusedLogin = isRefusal(status) ? (logins[0] ?? null) : null
  throw new FetchFailure(`HTTP ${status}`, {
    retryAfterMs: waitMs,
    refusedLogin,
    ...(isPrepared && { retryable: true }),
  })
}

/** A response, and the saved logins that its request had headers of, if any. */
type AnsweredRequest = Pick<SourceResponse, 'status' | 'headers'> & Partial<Pick<FetchedResponse, 'logins'>>

/** 206 is checked before, by its `Content-Range`. */
const FILE_STATUSES = new Set([200, 203, 206])

/** The wait in `Retry-After`, given in seconds or as a date (RFC 9110 section 10.2.3); null if absent or invalid. */
function retryAfterMs(headers: SourceResponse['headers'], nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = parseHttpDate(value)
  return date === null ? null : Math.max(0, date - nowMs)
}
