/** Why a response could not be had, or ended early. */
export type Http1Reason =
  /** No connection could be made. */
  | 'connect'
  /** The TLS handshake failed, or the certificate is not trusted. */
  | 'tls'
  /** The server closed the connection in order (FIN, or close_notify) before the end of the head or of the body. */
  | 'closed-early'
  /** The connection was reset. */
  | 'reset'
  /** A body without a length ended without close_notify: someone may have cut it (RFC 8446 section 6.1). */
  | 'tls-truncated'
  /** What was received is no HTTP/1.1 response, or one that can be read in two ways. */
  | 'malformed'
  /** See `ProxyFailure`. */
  | 'proxy-failed'
  | 'proxy-refused'

/** `code` is the code of the system or of OpenSSL, or else says in words what was wrong. */
export class Http1Failure extends Error {
  readonly reason: Http1Reason
  readonly code: string

  constructor(reason: Http1Reason, code = '') {
    super(code === '' ? reason : `${reason}: ${code}`)
    this.name = 'Http1Failure'
    this.reason = reason
    this.code = code
  }
}

/** Nobody waits for anything on the connection. */
export const CLOSED_BY_CLIENT = new Http1Failure('closed-early', 'closed by the client')

/** The connection had served a request before, and was closed before it served this one: a new connection may serve it. */
export class StaleConnection extends Http1Failure {}

/**
 * A proxy did not bring a response. `code` says in words what it did, after its name: `cannot be reached`.
 *
 * `proxy-failed`: there was no answer. `proxy-refused`: the answer was an error, or no HTTP.
 */
export class ProxyFailure extends Http1Failure {
  /** Whether it would be the same for every origin. If not, the origin may have its part in it. */
  readonly concernsAll: boolean
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean

  constructor(
    reason: 'proxy-failed' | 'proxy-refused',
    code: string,
    { concernsAll, isTemporary = reason === 'proxy-failed', cause }: ProxyFailureFacts,
  ) {
    super(reason, code)
    this.cause = cause
    this.concernsAll = concernsAll
    this.isTemporary = isTemporary
  }
}

export interface ProxyFailureFacts {
  readonly concernsAll: boolean
  readonly isTemporary?: boolean
  readonly cause?: unknown
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
