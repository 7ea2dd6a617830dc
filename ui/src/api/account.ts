import { request } from './request.ts'
import type { Me, NewApiKey } from './types.ts'

/** Returns the signed-in user, or the user that `key` belongs to if one is given. */
export function getMe(options: { key?: string } = {}): Promise<Me> {
  return request('GET', '/me', options)
}

/** Exchanges the one-time token of a sign-in link for an API key for this browser. */
export async function redeemToken(token: string): Promise<NewApiKey> {
  const { api_key } = await request<{ api_key: NewApiKey }>('POST', '/sign-in', { body: { token } })
  return api_key
}

/** Revokes the signed-in key. The request outlives the page. */
export async function revokeSignedInKey(): Promise<void> {
  await request('DELETE', '/sign-in', { keepalive: true })
}
