import type { ErrorEnvelope } from '../../../server/http/schemas.ts'
import { connection } from '../base/connection.ts'
import { session } from '../session/session.ts'

/** What the service answers when it can't do as asked: a code to branch on, a sentence to show. */
export class ApiError extends Error {
  readonly code: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor({ error }: ErrorEnvelope) {
    super(error.message)
    this.name = 'ApiError'
    this.code = error.code
    this.issues = error.issues ?? []
  }
}

/** The service can't be reached: it is stopped, restarting, or the line is down. */
export class ConnectionLost extends Error {
  constructor() {
    super('Holdall can’t be reached.')
    this.name = 'ConnectionLost'
  }
}

/**
 * The one way to the API. Sends the session's key, gives the answer's JSON, and lets the rest of the app know of a
 * key that is no longer valid and of a connection that is lost or back.
 */
export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const key = session.key()
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    connection.lost()
    throw new ConnectionLost()
  })
  connection.works()
  const answer = await response.json()
  if (response.ok) return answer
  if (response.status === 401 && key !== null) session.expire()
  throw new ApiError(answer)
}
