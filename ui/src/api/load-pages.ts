import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { request } from './request.ts'
import type { PageMeta } from './types.ts'

export interface ListRequest<Page, Item> {
  readonly path: string
  /** Which items to list; by default all. */
  readonly query?: Readonly<Record<string, string>>
  /** Takes the items out of a page. */
  readonly itemsOf: (page: Page) => readonly Item[]
  /** How many items to load, if there are that many; by default all. */
  readonly count?: number
  /** `nextCursor` of an earlier request; by default the list is loaded from its start. */
  readonly cursor?: string | null
  /** The largest page that the service returns of this list. */
  readonly pageSize?: number
}

export interface Loaded<Item> {
  readonly items: Item[]
  /** How many there are, loaded or not. */
  readonly total: number
  /** Where the next page begins; null if there is none. */
  readonly nextCursor: string | null
}

/** Returns items of a list, loaded in as many requests as needed. */
export async function loadPages<Page extends { readonly meta: PageMeta }, Item>(
  {
    path,
    query = {},
    itemsOf,
    count = Number.POSITIVE_INFINITY,
    cursor = null,
    pageSize = REQUEST_LIMITS.pageSize,
  }: ListRequest<Page, Item>,
  signal: AbortSignal,
): Promise<Loaded<Item>> {
  const items: Item[] = []
  for (let nextCursor = cursor; ; ) {
    const limit = String(Math.min(count - items.length, pageSize))
    const search = new URLSearchParams({
      ...query,
      limit,
      ...(nextCursor !== null && { cursor: nextCursor }),
    })
    const page: Page = await request('GET', `${path}?${search}`, { signal })
    items.push(...itemsOf(page))
    nextCursor = page.meta.next_cursor
    if (nextCursor === null || items.length >= count) return { items, total: page.meta.total, nextCursor }
  }
}
