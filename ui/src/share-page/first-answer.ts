// ui/decisions/sharing.md says why receivers get a document of their own.

import type { SharedArchive } from '../api/types.ts'

/** The archive as the service wrote it into the page, so that nobody waits for a request; undefined if it did not. */
export function archiveInPage(): SharedArchive | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="holdall-archive"]')?.content
  return content === undefined ? undefined : JSON.parse(content)
}
