import { inSentence, type Message, MessageError, translated, wordsOfService } from '../base/message.ts'
import { setServiceTime } from '../base/now.ts'
import { apiCopy } from '../language/english/api.ts'
import { expireSession, sessionKey } from '../session/session.ts'
import { setReachable } from './reachability.ts'
import type { ErrorEnvelope } from './types.ts'

export interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** The media type of the response; JSON by default. */
  readonly accept?: string
  /** The version that the request changes: it fails with `PRECONDITION_FAILED` if there is another one by now. */
  readonly ifMatch?: string
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean
  /** A key to use instead of the signed-in one; null to send none. */
  readonly key?: string | null
}

/** An error that the service returned, or `UNREACHABLE`, or `UNREADABLE` for a response that can't be parsed. */
export class ApiError extends MessageError {
  override readonly name = 'ApiError'
  readonly code: string
  readonly issues: readonly { path: string; message: string }[]

  constructor(code: string, message: Message, issues: ApiError['issues'] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}

/** Converts any other error, such as that of a body that is not JSON, to `UNREADABLE`. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('UNREADABLE', String(error))
}

/** Sends a request with the signed-in key and returns the JSON body. Throws an {@link ApiError} on any failure. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return withinTimeLimit(options.signal, async (signal) => {
    const response = await respond(method, path, { ...options, signal })
    try {
      return await response.json()
    } catch (error) {
      if (signal.aborted) throw error
      throw error instanceof SyntaxError ? unreadable(response) : unreachable()
    }
  })
}

/**
 * Like {@link request}, but returns the response itself, for bodies that are streamed. The time limit applies until the
 * body begins.
 */
export async function fetchResponse(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  return withinTimeLimit(options.signal, (signal) => respond(method, path, { ...options, signal }))
}

/** Aborts `act` with `UNREACHABLE` if it takes too long. */
async function withinTimeLimit<T>(
  outer: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => {
    setReachable(false)
    limit.abort(unreachable())
  }, REQUEST_TIMEOUT_MS)
  try {
    return await act(AbortSignal.any(outer === undefined ? [limit.signal] : [outer, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** All requests pass through here. A 401 ends the session, unless `options.key` was sent instead of the signed-in key. */
async function respond(
  method: string,
  path: string,
  options: RequestOptions & { readonly signal: AbortSignal },
): Promise<Response> {
  const key = options.key === undefined ? sessionKey() : options.key
  const response = key === null || SENDABLE_KEY.test(key) ? await send(method, path, key, options) : null
  if (response?.ok) return response
  const error = response === null ? new ApiError('UNAUTHORIZED', apiCopy.notAKey) : await readError(response)
  if (error.code === 'UNAUTHORIZED' && key !== null && key === sessionKey()) expireSession()
  throw error
}

async function send(
  method: string,
  path: string,
  key: string | null,
  {
    accept = 'application/json',
    body,
    ifMatch,
    keepalive = false,
    signal,
  }: RequestOptions & { signal: AbortSignal },
) {
  const headers = new Headers({ accept })
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      keepalive,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    setReachable(!isGatewayFailure(response))
    setServiceTime(response.headers.get('date'))
    return response
  } catch (error) {
    if (signal.aborted) throw error
    setReachable(false)
    throw unreachable()
  }
}

function unreachable(): ApiError {
  return new ApiError('UNREACHABLE', apiCopy.unreachable)
}

function unreadable({ status }: Response): ApiError {
  return new ApiError('UNREADABLE', apiCopy.unreadable(status))
}

/** Whether a reverse proxy answered because it can't reach the service. */
function isGatewayFailure(response: Response): boolean {
  return response.status === 502 || response.status === 504
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const { error }: ErrorEnvelope = await response.json()
    return new ApiError(error.code, errorMessage(error), error.issues)
  } catch {
    return unreadable(response)
  }
}

/** What a translation has for the sentence as a whole, for its code, or for what is wrong with a field. */
function errorMessage({ code, message, issues = [] }: ErrorEnvelope['error']): Message {
  const words = wordsOfService(message)
  if (typeof words === 'string') return words
  const byCode = apiCopy.error(code, message)
  const [issue] = issues
  if (byCode !== message || issue === undefined) return translated(byCode, message)
  return inSentence(wordsOfService(issue.message), (problem) => apiCopy.notAccepted(message, problem))
}

/** Longer than the service needs for any request. After that, it has hung or the connection is dead. */
const REQUEST_TIMEOUT_MS = 30_000
/** The characters that a header can hold. API keys have no others, so any other text is refused without a request. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/
