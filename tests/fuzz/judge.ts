import { STATUS_OF } from '../../server/http/error-responses.ts'
import { errorEnvelope } from '../../server/http/schemas.ts'
import type { Reference } from '../support/documented.ts'
import type { Target } from './target.ts'

/** A response and its request. */
export interface Judged {
  readonly method: string
  /** Without the query, as it was sent. */
  readonly pathname: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What is wrong with a response to any request; null when nothing is. */
export function faultOf(answer: Judged, reference: Reference, target: Target): string | null {
  const { method, pathname, status, headers, text } = answer
  const what = `${method} ${pathname.slice(0, 200)} -> ${status}`
  if (status >= 500 && status !== 503) return `${what}: ${text.slice(0, 300)}`
  const shown = [...target.hidden, ...target.keys].find((hidden) => text.includes(hidden))
  if (shown !== undefined) return `${what} shows ${shown}`
  if (/node_modules|\.ts:\d/.test(text)) return `${what} shows the program: ${text.slice(0, 300)}`
  for (const name of [
    'x-content-type-options',
    'content-security-policy',
    'x-frame-options',
    'referrer-policy',
  ]) {
    if (!headers.has(name)) return `${what} has no ${name}`
  }
  const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
  // A client that prefers pages gets that of the interface.
  if ((status === 403 || status === 404) && mediaType === 'text/html') return null
  if (status >= 400 && method !== 'HEAD') {
    const error = envelopeOf(text)
    if (error === null) return `${what} is no error envelope: ${text.slice(0, 300)}`
    if (STATUS_OF[error] !== status) return `${what} has the code ${error}`
    if (status === 503 && !headers.has('retry-after')) return `${what} has no Retry-After`
  }
  return reference.faultOf({ method, pathname, status, mediaType, text })
}

/** Bun itself refuses what it cannot parse as HTTP, with a status and no body. */
export function isBareRefusal({
  status,
  headers,
  text,
}: Pick<Judged, 'status' | 'headers' | 'text'>): boolean {
  return [400, 431, 505].includes(status) && text === '' && [...headers.keys()].join() === 'connection'
}

function envelopeOf(text: string): keyof typeof STATUS_OF | null {
  const code = errorEnvelope.safeParse(jsonOf(text)).data?.error.code
  return code !== undefined && isCode(code) ? code : null
}

function isCode(code: string): code is keyof typeof STATUS_OF {
  return code in STATUS_OF
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
