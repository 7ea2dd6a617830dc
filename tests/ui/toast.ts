import type { Page } from 'playwright/test'

/** A message at the bottom of the page. */
export function toast(page: Page, text: string) {
  return page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })
}

/** A script that keeps messages for ten minutes instead of seven seconds: a busy machine may take longer to come to the next step. */
export const KEEP_MESSAGES = `(() => {
  const wait = setTimeout
  globalThis.setTimeout = (act, delayMs, ...values) => wait(act, delayMs === 7_000 ? 600_000 : delayMs, ...values)
})()`
