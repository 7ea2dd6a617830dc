import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { loadPages } from './load-pages.ts'
import type { Entry, PageMeta } from './types.ts'

/** Returns all entries of a job, in the order of its URLs. */
export async function listEntries(jobId: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const { items } = await loadPages(
    {
      path: `/jobs/${encodeURIComponent(jobId)}/entries`,
      itemsOf: (page: { entries: Entry[]; meta: PageMeta }) => page.entries,
      pageSize: REQUEST_LIMITS.entryPageSize,
    },
    signal,
  )
  return items
}
