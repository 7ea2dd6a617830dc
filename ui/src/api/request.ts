import { expireSession, sessionKey } from '../session/session.ts'
import { setReachable } from './connection.ts'
import type { ErrorEnvelope } from './types.ts'

export interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** The type of the answer; JSON if not said. */
  readonly accept?: string
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean
  /** A key to try, in place of the one that is signed in. */
  readonly key?: string
}

/** What the service refused, in its own words, or that it could not be reached. */
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

/** Sends the signed-in key, returns the body of a success, throws an {@link ApiError} for everything else. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await respond(method, path, options)
  return response.json()
}

/**
 * The one way to the service, for a body that is read bit by bit; all others are read by {@link request}. A 401 ends
 * the session, unless a key was only being tried.
 */
export async function respond(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
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

/** A proxy that answers for a service that is gone. */
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
