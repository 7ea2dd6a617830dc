import type { NewApiKeyWire } from '../../../server/http/schemas.ts'
import { ApiError, request } from '../api/request.ts'
import { session } from './session.ts'

/** Exchanges the token of a one-time link for this browser's own key. */
export async function signInByToken(token: string): Promise<void> {
  const { api_key } = await request<{ api_key: NewApiKeyWire }>('POST', '/sign-in', { token })
  session.begin(api_key.key)
}

/** Signs in with a key that someone made, if it works. */
export async function signInByKey(key: string): Promise<void> {
  const before = session.key()
  session.begin(key)
  try {
    await request('GET', '/jobs?limit=1')
  } catch (error) {
    if (before === null) session.end()
    else session.begin(before)
    throw error
  }
}

/** Why signing in did not work, in words. */
export function signInProblem(error: unknown, how: 'link' | 'key'): string {
  if (!(error instanceof ApiError) || error.code !== 'UNAUTHORIZED') {
    return error instanceof Error ? error.message : 'Something went wrong.'
  }
  return how === 'link'
    ? 'This link has been used, or it has expired. Ask for a new one as described below.'
    : 'This key does not work. It may have expired or been revoked.'
}
