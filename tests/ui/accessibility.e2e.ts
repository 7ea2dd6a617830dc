import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'
import { test } from './browser-test.ts'
import { Complaints } from './complaints.ts'
import { openScene } from './scene.ts'
import { openScreen, screensOf } from './screens.ts'

/** WCAG 2.2 at level AA and all below it, and what axe counts as good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

test('No screen has a barrier that axe finds, in light, in dark and on a phone', async ({ browser }) => {
  test.setTimeout(300_000)
  await using scene = await openScene()
  for (const screen of screensOf(scene)) {
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
    const complaints = new Complaints()
    complaints.watch(context)
    for (const words of screen.provokes ?? []) complaints.provoke(words)
    const page = await context.newPage()
    await openScreen(page, scene, screen)
    expect.soft(await barriers(page), `${screen.name} in light`).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect.soft(await barriers(page), `${screen.name} in dark`).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect.soft(await barriers(page), `${screen.name} on a phone`).toEqual([])
    // WCAG 2.2, 1.4.10: at this width one needs to scroll in one direction only.
    await page.setViewportSize({ width: 320, height: 740 })
    expect
      .soft(await page.evaluate(OVERFLOW_PX), `${screen.name} at 320 px, too wide by`)
      .toBeLessThanOrEqual(0)
    expect.soft(complaints.unprovoked(), screen.name).toEqual([])
    await context.close()
  }
})

/** By how much one would have to scroll sideways. */
const OVERFLOW_PX = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

async function barriers(page: Page): Promise<string[]> {
  // Without frames there is nothing for which axe would need a page of its own.
  const { passes, violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze()
  expect(passes.length).toBeGreaterThan(10)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
