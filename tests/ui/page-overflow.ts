import type { Page } from 'playwright/test'

/** Waits until the page is laid out in this width, and has adapted to it. */
export async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 740 })
  // The page is laid out again some time after the call. In the frame after that, its scripts adapt to it.
  await page.evaluate(`new Promise((resolve) => {
    const wait = () => requestAnimationFrame(innerWidth === ${width} ? () => requestAnimationFrame(resolve) : wait)
    wait()
  })`)
}

/** How far the page can be scrolled sideways, in pixels. */
export async function pageOverflowPx(page: Page): Promise<number> {
  return Number(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  )
}
