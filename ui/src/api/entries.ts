import { request } from './request.ts'
import type { Entry, PageMeta } from './types.ts'

/** The largest page of entries that the service returns. */
const PAGE_SIZE = 1_000

/** Yields all entries of a job, page by page. */
export async function* entryPages(jobId: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) })
    if (cursor !== null) query.set('cursor', cursor)
    const page: { entries: Entry[]; meta: PageMeta } = await request(
      'GET',
      `/jobs/${encodeURIComponent(jobId)}/entries?${query}`,
      { signal },
    )
    yield page.entries
    cursor = page.meta.next_cursor
  } while (cursor !== null)
}
