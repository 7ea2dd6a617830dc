import type { FetchError } from '../api/types.ts'

/**
 * Returns why a link failed, in plain words, with the HTTP status behind them if there is one. An unknown text, such as one of
 * a newer service, stays as it is.
 */
export function errorText(error: string): string {
  const status = /^HTTP (\d{3})$/.exec(error)?.[1]
  if (status !== undefined) return `${STATUS_TEXTS[status] ?? otherStatusText(status)} (${status})`
  const limit = /^ZIP size limit exceeded \((.+)\)$/.exec(error)?.[1]
  if (limit !== undefined) return `Doesn’t fit: archives can have up to ${limit}`
  return isFetchError(error) ? ERROR_TEXTS[error] : error
}

function isFetchError(error: string): error is FetchError {
  return Object.hasOwn(ERROR_TEXTS, error)
}

function otherStatusText(status: string): string {
  return status.startsWith('5') ? 'Server error' : 'Not available'
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  400: 'Request not understood',
  401: 'Sign-in required',
  402: 'Payment required',
  403: 'No access',
  404: 'Not found',
  407: 'Proxy sign-in required',
  408: 'Server gave up waiting',
  410: 'No longer available',
  423: 'Locked',
  429: 'Too many requests',
  451: 'Blocked for legal reasons',
  502: 'Server unavailable',
  503: 'Server unavailable',
  504: 'Server took too long',
}

/** By the error of the service. The compiler requires each of them, and no other. */
const ERROR_TEXTS: Readonly<Record<FetchError, string>> = {
  'Could not resolve host': 'No such server (DNS)',
  'Connection refused': 'Server refused the connection',
  'Connection failed': 'Couldn’t connect',
  'Connection closed early': 'Connection lost before the end',
  'Timed out': 'Server took too long',
  'TLS certificate not trusted': 'Certificate not trusted (TLS)',
  'TLS handshake failed': 'No secure connection (TLS)',
  'Address not allowed': 'Private network, blocked',
  'Too many redirects': 'Too many redirects',
  'Unsupported redirect': 'Redirects to an unsupported address',
  'Malformed response': 'Server sent an invalid response',
  'Unreadable content encoding': 'File can’t be decompressed',
  'Source changed during the download': 'File changed while it was fetched',
  'Unexpected HTML': 'Web page instead of the file',
  'Empty file': 'Server sent an empty file',
  'Proxy refused': 'The proxy refused',
  'Checksum mismatch': 'Not the expected file (its checksum differs)',
}
