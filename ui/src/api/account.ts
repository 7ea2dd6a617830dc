import { sessionKey } from '../session/session.ts'
import { request } from './request.ts'
import type { Me, NewApiKey } from './types.ts'

/** Returns the signed-in user, or the user that `key` belongs to if one is given. */
export function getMe(options: { key?: string } = {}): Promise<Me> {
  return request('GET', '/me', options)
}

/**
 * The same for the signed-in user, from the last response if it was asked for just now: parts of a page that are loaded together need
 * one request.
 */
export function getRecentMe(): Promise<Me> {
  const [key, now] = [sessionKey(), performance.now()]
  if (recent?.key === key && now - recent.atMs < RECENT_MS) return recent.me
  const me = getMe()
  recent = { key, atMs: now, me }
  me.catch(() => {
    if (recent?.me === me) recent = null
  })
  return me
}

let recent: { readonly key: string | null; readonly atMs: number; readonly me: Promise<Me> } | null = null
/** Longer than a page takes to load, and shorter than it takes to change a plan. */
const RECENT_MS = 5_000

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
