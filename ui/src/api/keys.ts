import { loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { ApiKey, KeySettings, NewApiKey, PageMeta } from './types.ts'

/** Returns the user's keys, without the revoked ones. */
export async function listKeys(signal: AbortSignal): Promise<ApiKey[]> {
  const itemsOf = (page: { api_keys: ApiKey[]; meta: PageMeta }) => page.api_keys
  return (await loadPages({ path: '/api-keys', itemsOf }, signal)).items
}

/** Creates a key. The response is the only one that contains the secret. */
export async function createKey(body: KeySettings): Promise<NewApiKey> {
  const { api_key } = await request<{ api_key: NewApiKey }>('POST', '/api-keys', { body })
  return api_key
}

export async function revokeKey(id: string): Promise<void> {
  await request('DELETE', `/api-keys/${encodeURIComponent(id)}`)
}
