import type { Page } from 'playwright/test'

/**
 * Moves the clock of the service, as the page reads it, together with that of the page. Otherwise the page would correct its
 * clock when a test moves it.
 */
export async function followPageClock(page: Page): Promise<void> {
  await page.evaluate(`
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name === 'date' ? new Date().toUTCString() : get.call(this, name)
    }
  `)
}
