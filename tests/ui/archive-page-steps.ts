import type { Page } from 'playwright/test'
import type { Origin } from '../support/origin.ts'

/** URLs of small files of increasing size. */
export function quickUrls(origin: Origin, count: number): string[] {
  return Array.from({ length: count }, (_, index) => origin.url(`/bytes/${1000 + index}/file-${index}.bin`))
}

/** The map of files on the page of an archive. */
export function fileMap(page: Page) {
  return page.getByRole('img', { name: /^Map of / })
}
