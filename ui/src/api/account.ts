import { request } from './request.ts'
import type { Me, NewApiKey } from './types.ts'

/** The caller, or whom a key on trial belongs to. */
export function getMe(options: { key?: string } = {}): Promise<Me> {
  return request('GET', '/me', options)
}

/** Exchanges the one-time token of a sign-in link for a key of this browser's own. */
export async function redeemToken(token: string): Promise<NewApiKey> {
  const { api_key } = await request<{ api_key: NewApiKey }>('POST', '/sign-in', { body: { token } })
  return api_key
}
