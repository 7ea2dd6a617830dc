import type { SourceResponse } from '../response.ts'

/** How long the body of a response is, as its head says; null if it does not. */
export function declaredLength(headers: SourceResponse['headers']): number | null {
  // RFC 9112 section 6.3: Transfer-Encoding overrides it.
  if (headers.get('transfer-encoding') !== null) return null
  // RFC 9110 section 8.6: a list of equal lengths is one length. One of others has been refused.
  const [value = ''] = headers.get('content-length')?.split(',') ?? []
  return DIGITS.test(value) ? Number(value) : null
}

const DIGITS = /^\d+$/
