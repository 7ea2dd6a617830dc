import { expect, type Page } from 'playwright/test'

/**
 * Waits for a change that only the service knows of, which the page loads every ten seconds. Its clock, which the test has
 * installed before it opened the page, runs ahead meanwhile.
 *
 * @param check an expectation that waits for a short time only
 */
export async function untilPolled(page: Page, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(REFRESH_MS)
    await check()
  }).toPass()
}

/**
 * Stops the clock of a page, which the test has installed before it opened the page. From then on, it advances only when the test says so.
 */
export async function stopClock(page: Page): Promise<void> {
  // It goes on until the call arrives, and can be stopped only at a time that has not yet come.
  await expect(() => page.clock.pauseAt(Date.now() + 1_000)).toPass()
}

/** How long `check` waits for the page to show a response. */
export const SHOWN_WITHIN = { timeout: 1_000 }

const REFRESH_MS = 10_000
