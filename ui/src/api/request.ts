import { expireSession, sessionKey } from '../session/session.ts'
import { setReachable } from './reachability.ts'
import type { ErrorEnvelope } from './types.ts'

export interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** The media type of the response; JSON by default. */
  readonly accept?: string
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean
  /** A key to use instead of the signed-in one. */
  readonly key?: string
}

/** An error that the service returned, or `UNREACHABLE`, or `UNREADABLE` for a response that can't be parsed. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly issues: readonly { path: string; message: string }[]

  constructor(code: string, message: string, issues: ApiError['issues'] = []) {
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
  const response = await fetchResponse(method, path, options)
  return response.json()
}

/**
 * Like {@link request}, but returns the response itself, for bodies that are streamed. All requests pass through here.
 * A 401 ends the session, unless `options.key` was sent instead of the signed-in key.
 */
export async function fetchResponse(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const key = options.key ?? sessionKey()
  const response = await send(method, path, key, options)
  if (response.ok) return response
  const error = await readError(response)
  if (response.status === 401 && key !== null && key === sessionKey()) expireSession()
  throw error
}

async function send(method: string, path: string, key: string | null, options: RequestOptions) {
  const headers = new Headers({ accept: options.accept ?? 'application/json' })
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (options.body !== undefined) headers.set('content-type', 'application/json')
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      keepalive: options.keepalive ?? false,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    setReachable(!isGatewayFailure(response))
    return response
  } catch (error) {
    if (options.signal?.aborted) throw error
    setReachable(false)
    throw new ApiError('UNREACHABLE', 'Holdall can’t be reached. Is it still running?')
  }
}

/** Whether a reverse proxy answered because it can't reach the service. */
function isGatewayFailure(response: Response): boolean {
  return response.status === 502 || response.status === 504
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const { error }: ErrorEnvelope = await response.json()
    return new ApiError(error.code, error.message, error.issues)
  } catch {
    return new ApiError('UNREADABLE', `Holdall gave an answer that can’t be read (HTTP ${response.status}).`)
  }
}
