import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { request } from './request.ts'
import type { PageMeta } from './types.ts'

export interface Loaded<T> {
  readonly items: readonly T[]
  /** How many there are, loaded or not. */
  readonly total: number
}

/**
 * Returns the first `count` items of a list, loaded in as many requests as needed.
 * @param itemsOf takes the items out of a response
 * @param pageSize the largest page that the service returns of this list
 */
export async function loadPages<Page extends { readonly meta: PageMeta }, T>(
  path: string,
  count: number,
  itemsOf: (page: Page) => readonly T[],
  signal: AbortSignal,
  pageSize: number = REQUEST_LIMITS.pageSize,
): Promise<Loaded<T>> {
  const items: T[] = []
  for (let cursor: string | null = null; ; ) {
    const limit = Math.min(count - items.length, pageSize)
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) })
    const page: Page = await request('GET', `${path}?${query}`, { signal })
    items.push(...itemsOf(page))
    cursor = page.meta.next_cursor
    if (cursor === null || items.length >= count) return { items, total: page.meta.total }
  }
}
