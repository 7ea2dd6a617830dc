import type { Page } from 'playwright/test'

/** How far the page can be scrolled sideways, in pixels. */
export async function pageOverflowPx(page: Page): Promise<number> {
  return Number(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  )
}
