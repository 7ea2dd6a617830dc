import { request } from './request.ts'
import type { Me, NewApiKey } from './types.ts'

/** Returns the signed-in user, or the user that `key` belongs to if one is given. */
export function getMe(options: { key?: string } = {}): Promise<Me> {
  return request('GET', '/me', options)
}

/** Exchanges the one-time token of a sign-in link for an API key for this browser. The token is the only credential. */
export async function redeemToken(token: string): Promise<NewApiKey> {
  const { api_key } = await request<{ api_key: NewApiKey }>('POST', '/sign-in', {
    body: { token },
    key: null,
  })
  return api_key
}

/** Revokes the key of a browser that has signed out. The request outlives the page. */
export async function revokeBrowserKey(key: string): Promise<void> {
  await request('DELETE', '/sign-in', { key, keepalive: true })
}
