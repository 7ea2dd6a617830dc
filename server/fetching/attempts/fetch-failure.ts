import { formatBytes } from '../../text/format-bytes.ts'
import type { SavedLogin } from '../headers/origin-headers.ts'
import { Http1Failure, ProxyFailure } from '../http1/failure.ts'

/**
 * Why a URL could not be fetched. `text` appears in the job's `errors`, `retryable` is true if another attempt may succeed,
 * and `retryAfterMs` is the wait that the source asked for, if any.
 */
export class FetchFailure extends Error {
  readonly text: FailureText
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  /** The saved login that the source has refused, if any. */
  readonly refusedLogin: SavedLogin | null
  /** Whether the host asks its clients to wait: with a 429, or with `Retry-After`. That holds for all its URLs. */
  get asksToWait(): boolean {
    return this.retryAfterMs !== null || this.text === 'HTTP 429'
  }
  /** What the proxy did that the request went through, if it brought no answer of the host. */
  get ofProxy(): ProxyFailure | null {
    return this.cause instanceof ProxyFailure ? this.cause : null
  }

  constructor(text: FailureText, options: FetchFailureOptions = {}) {
    super(text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'FetchFailure'
    this.text = text
    this.retryable = options.retryable ?? isRetryable(text)
    this.retryAfterMs = options.retryAfterMs ?? null
    this.refusedLogin = options.refusedLogin ?? null
  }
}

export interface FetchFailureOptions {
  /** Overrides what follows from the text. */
  readonly retryable?: boolean
  readonly retryAfterMs?: number | null
  readonly refusedLogin?: SavedLogin | null
  readonly cause?: unknown
}

/** Every text that an error of a job's `errors` can have. */
export type FailureText = HttpErrorText | FetchErrorText | ZipSizeLimitText

/** The source answered with a status that brings no file. */
export type HttpErrorText = `HTTP ${number}`

/** With the plan's limit in parentheses: `ZIP size limit exceeded (2 GB)`. */
export type ZipSizeLimitText = `ZIP size limit exceeded (${string})`

/** All texts other than HTTP statuses and the plan's limit. */
export const fetchErrorTexts = [
  'Could not resolve host',
  'Connection refused',
  'Connection failed',
  'Connection closed early',
  'Timed out',
  'TLS certificate not trusted',
  'TLS handshake failed',
  'Address not allowed',
  'Too many redirects',
  'Unsupported redirect',
  'Malformed response',
  'Unreadable content encoding',
  'Source changed during the download',
  'Unexpected HTML',
  'Empty file',
  'Proxy refused',
  'Checksum mismatch',
] as const

export type FetchErrorText = (typeof fetchErrorTexts)[number]

/** Failures that may pass within seconds: those of the network and of an overloaded server. */
const temporaryTexts: ReadonlySet<FailureText> = new Set<FailureText>([
  'Connection refused',
  'Connection failed',
  'Connection closed early',
  'Timed out',
  'TLS handshake failed',
  // RFC 9110 section 15.5.9, RFC 8470 section 5.2, RFC 6585 section 4, RFC 9110 section 15.6.
  'HTTP 408',
  'HTTP 425',
  'HTTP 429',
  'HTTP 500',
  'HTTP 502',
  'HTTP 503',
  'HTTP 504',
])

function isRetryable(text: FailureText): boolean {
  return temporaryTexts.has(text)
}

/** The text for an archive that would exceed the plan's limit. */
export function zipSizeLimitText(limitBytes: number): ZipSizeLimitText {
  return `ZIP size limit exceeded (${formatBytes(limitBytes)})`
}

/**
 * Converts an error of a fetch, or of reading its body, into the failure that the client reads. Not for aborts by this
 * program, which have their own reasons.
 */
export function classifyNetworkError(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  if (error instanceof ProxyFailure) {
    const text = error.reason === 'proxy-refused' ? 'Proxy refused' : 'Connection failed'
    return new FetchFailure(text, { retryable: error.isTemporary, cause: error })
  }
  if (error instanceof Http1Failure) return new FetchFailure(textOf(error), { cause: error })
  const code = codeOf(error)
  const text = textsByCode.find(({ codes }) => codes.test(code))?.text ?? 'Connection failed'
  return new FetchFailure(text, { cause: error })
}

function textOf({ reason, code }: Http1Failure): FetchErrorText {
  if (reason === 'malformed') return 'Malformed response'
  if (reason === 'tls') return NOT_TRUSTED.test(code) ? 'TLS certificate not trusted' : 'TLS handshake failed'
  if (reason !== 'connect') return 'Connection closed early'
  if (code === 'ECONNREFUSED') return 'Connection refused'
  return code === 'ETIMEDOUT' ? 'Timed out' : 'Connection failed'
}

/** OpenSSL's codes for certificates are words joined by `_`, such as SELF_SIGNED_CERT_IN_CHAIN. */
const NOT_TRUSTED = /^ERR_TLS_CERT_|^(?!ERR_)[A-Z]+(_[A-Z0-9]+)+$/

/** A DOMException, for example the timeout of fetch itself, has a numeric code, so its name is used. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Error codes of Bun 1.4.5's fetch, most of them observed in tests; the first match counts. */
const textsByCode: readonly { readonly codes: RegExp; readonly text: FetchErrorText }[] = [
  { codes: /^ECONNREFUSED$/, text: 'Connection refused' },
  { codes: /^(ECONNRESET|ECONNABORTED|EPIPE)$/, text: 'Connection closed early' },
  { codes: /^(ETIMEDOUT|TimeoutError)$/, text: 'Timed out' },
  { codes: NOT_TRUSTED, text: 'TLS certificate not trusted' },
  { codes: /^(EPROTO$|TLSHandshakeFailed$|ERR_SSL_|ERR_TLS_)/, text: 'TLS handshake failed' },
  { codes: /^(Malformed_HTTP_Response|InvalidHTTPResponse|UnexpectedData)$/, text: 'Malformed response' },
  { codes: /^(InvalidContentLength|ResponseHeadersTooLarge)$/, text: 'Malformed response' },
  { codes: /^(UnsupportedTransferEncoding|UnrequestedUpgrade)$/, text: 'Malformed response' },
]
