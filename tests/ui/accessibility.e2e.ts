import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'
import { BrowserErrors } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { startSampleService } from './sample-service.ts'
import { openScreen, screensOf } from './screens.ts'

/** WCAG 2.2 levels A and AA, and axe's best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

test('No screen violates an accessibility rule of axe: light, dark and on a phone', async ({ browser }) => {
  test.setTimeout(600_000)
  await using service = await startSampleService()
  for (const screen of screensOf(service)) {
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
    const browserErrors = new BrowserErrors()
    browserErrors.watch(context)
    for (const text of screen.expectedErrors ?? []) browserErrors.allow(text)
    const page = await context.newPage()
    await openScreen(page, service, screen)
    expect.soft(await violations(page), `${screen.name} in light`).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect.soft(await violations(page), `${screen.name} in dark`).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect.soft(await violations(page), `${screen.name} on a phone`).toEqual([])
    // WCAG 2.2, 1.4.10: at a width of 320 px, a page must not scroll in two directions.
    await page.setViewportSize({ width: 320, height: 740 })
    // The page is laid out again some time after the call.
    await expect.poll(() => page.evaluate('innerWidth')).toBe(320)
    expect.soft(await pageOverflowPx(page), `${screen.name} at 320 px, too wide by`).toBeLessThanOrEqual(0)
    expect.soft(browserErrors.unexpected(), screen.name).toEqual([])
    await context.close()
  }
})

async function violations(page: Page): Promise<string[]> {
  // Legacy mode analyzes only the top frame. It needs no extra page, and the interface has no frames.
  const { passes, violations: found } = await new AxeBuilder({ page })
    .withTags(RULES)
    .setLegacyMode()
    .analyze()
  expect(passes.length).toBeGreaterThan(10)
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
