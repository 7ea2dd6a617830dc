import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { loadPages } from './load-pages.ts'
import { request } from './request.ts'
import type { PageMeta, SharedArchive, SharedFile } from './types.ts'

/** Returns what somebody with a download link may know of its archive. */
export async function getSharedArchive(token: string): Promise<SharedArchive> {
  const { archive } = await request<{ archive: SharedArchive }>(
    'GET',
    `/download/${encodeURIComponent(token)}/archive`,
  )
  return archive
}

/** Returns all files of the archive, in the order of the links. There are none before it is finished. */
export async function listSharedFiles(token: string, signal: AbortSignal): Promise<readonly SharedFile[]> {
  const { items } = await loadPages(
    {
      path: `/download/${encodeURIComponent(token)}/entries`,
      itemsOf: (page: { entries: SharedFile[]; meta: PageMeta }) => page.entries,
      pageSize: REQUEST_LIMITS.entryPageSize,
    },
    signal,
  )
  return items
}
