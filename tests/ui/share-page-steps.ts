import type { Page } from 'playwright/test'

// Parts of the page for receivers.

/** The link to the whole archive. */
export function downloadLink(page: Page) {
  return page.getByRole('link', { name: 'Download', exact: true })
}

/** The rows of the files. */
export function files(page: Page) {
  return page.getByRole('region', { name: 'Files' }).getByRole('listitem')
}
