import { formatBytes } from '../format-bytes.ts'

/**
 * Why a URL could not be fetched. `text` is what the client reads in the job's `errors`, `retryable` says whether
 * another attempt may help, and `retryAfterMs` is the wait that the source itself asked for, if it did.
 */
export class FetchFailure extends Error {
  readonly text: FailureText
  readonly retryable: boolean
  readonly retryAfterMs: number | null

  constructor(text: FailureText, options: FetchFailureOptions = {}) {
    super(text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'FetchFailure'
    this.text = text
    this.retryable = options.retryable ?? isRetryable(text)
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

export interface FetchFailureOptions {
  /** Only where the text alone does not decide. */
  readonly retryable?: boolean
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/** Every text that an error of a job's `errors` can have. */
export type FailureText = HttpErrorText | FetchErrorText | ZipSizeLimitText

/** The source answered, with a status that is not a success. */
export type HttpErrorText = `HTTP ${number}`

/** The plan's limit stands between the brackets: `ZIP size limit exceeded (2 GB)`. */
export type ZipSizeLimitText = `ZIP size limit exceeded (${string})`

/** The closed list of phrases for what is neither an HTTP status nor the plan's limit. */
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
] as const

export type FetchErrorText = (typeof fetchErrorTexts)[number]

/** Failures of the network itself pass; what a source is or says does not change within seconds. */
const passingTexts: ReadonlySet<FailureText> = new Set<FailureText>([
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
  return passingTexts.has(text)
}

/** The phrase for an archive that would pass the plan's limit. */
export function zipSizeLimitText(limitBytes: number): ZipSizeLimitText {
  return `ZIP size limit exceeded (${formatBytes(limitBytes)})`
}

/**
 * Turns what a fetch or the read of its body threw into the failure that the client reads. An abort of ours is not
 * one: who aborted knows why.
 */
export function classifyNetworkError(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  const text = textsByCode.find(({ codes }) => codes.test(code))?.text ?? 'Connection failed'
  return new FetchFailure(text, { cause: error })
}

/** A DOMException has a number for a code, and says what it is by its name: fetch's own time limit is one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Codes of Bun 1.4.5's fetch, most of them seen by provoking them; the first row that fits counts. */
const textsByCode: readonly { readonly codes: RegExp; readonly text: FetchErrorText }[] = [
  { codes: /^ECONNREFUSED$/, text: 'Connection refused' },
  { codes: /^(ECONNRESET|ECONNABORTED|EPIPE)$/, text: 'Connection closed early' },
  { codes: /^(ETIMEDOUT|TimeoutError)$/, text: 'Timed out' },
  // OpenSSL names what is wrong with a certificate in words joined by `_`, as in SELF_SIGNED_CERT_IN_CHAIN.
  { codes: /^ERR_TLS_CERT_|^(?!ERR_)[A-Z]+(_[A-Z0-9]+)+$/, text: 'TLS certificate not trusted' },
  { codes: /^(EPROTO$|TLSHandshakeFailed$|ERR_SSL_|ERR_TLS_)/, text: 'TLS handshake failed' },
  { codes: /^(Malformed_HTTP_Response|InvalidHTTPResponse|UnexpectedData)$/, text: 'Malformed response' },
  { codes: /^(InvalidContentLength|ResponseHeadersTooLarge)$/, text: 'Malformed response' },
  { codes: /^(UnsupportedTransferEncoding|UnrequestedUpgrade)$/, text: 'Malformed response' },
]
