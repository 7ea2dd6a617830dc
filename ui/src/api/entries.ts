import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { request } from './request.ts'
import type { Entry, PageMeta } from './types.ts'

/** Yields all entries of a job, page by page. */
export async function* entryPages(jobId: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(REQUEST_LIMITS.entryPageSize) })
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
