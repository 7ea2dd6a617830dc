import { type Loaded, loadPages } from './load-pages.ts'
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

/** Returns the first `count` files of the archive, in the order of the links. There are none before it is finished. */
export function listSharedFiles(
  token: string,
  count: number,
  signal: AbortSignal,
): Promise<Loaded<SharedFile>> {
  return loadPages(
    `/download/${encodeURIComponent(token)}/entries`,
    count,
    (page: { entries: SharedFile[]; meta: PageMeta }) => page.entries,
    signal,
  )
}
