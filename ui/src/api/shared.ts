import { request } from './request.ts'
import type { SharedArchive } from './types.ts'

/** Returns what somebody with a download link may know of its archive. */
export async function getSharedArchive(token: string): Promise<SharedArchive> {
  const { archive } = await request<{ archive: SharedArchive }>(
    'GET',
    `/download/${encodeURIComponent(token)}/archive`,
  )
  return archive
}
