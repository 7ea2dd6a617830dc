import type { Page } from 'playwright/test'

/** A message at the bottom of the page. */
export function toast(page: Page, text: string) {
  return page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })
}
