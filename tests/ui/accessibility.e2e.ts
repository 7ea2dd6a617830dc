import { type Browser, expect, type Page } from 'playwright/test'
import { COLOR_RULES, loadAxe, RULES, violations } from './axe.ts'
import { BrowserErrors } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copyIn } from './copy.ts'
import { cutOffRings } from './cut-off-rings.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { type SampleService, startSampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'
import { openScreen, screensOf } from './screens.ts'
import { stickingOut } from './sticking-out.ts'

/** The screens are divided between this many tests, so that several run at the same time. */
const PARTS = 4

for (let part = 1; part <= PARTS; part++) {
  test(`No screen violates a rule of axe or cuts off a focus ring: light, dark and on a phone (part ${part} of ${PARTS})`, async ({
    browser,
  }) => {
    test.setTimeout(300_000)
    await using service = await startSampleService()
    const screens = screensOf(service).filter((_screen, index) => index % PARTS === part - 1)
    for (const screen of screens) await expectAccessible(browser, service, screen)
  })
}

for (let part = 1; part <= PARTS; part++) {
  test(`In German, no screen of a phone is too wide, and nothing sticks out of its card (part ${part} of ${PARTS})`, async ({
    browser,
  }) => {
    test.setTimeout(300_000)
    await using service = await startSampleService()
    const copy = await copyIn('de')
    const screens = screensOf(service).filter((_screen, index) => index % PARTS === part - 1)
    for (const screen of screens) {
      const context = await browser.newContext({
        locale: 'de',
        reducedMotion: 'reduce',
        viewport: { width: 360, height: 740 },
      })
      const page = await context.newPage()
      await openScreen(page, service, screen, copy)
      expect.soft(await stickingOut(page), `${screen.name} at 360 px`).toEqual([])
      await setWidth(page, 320)
      await expect
        .poll(() => pageOverflowPx(page), `${screen.name} at 320 px, too wide by`)
        .toBeLessThanOrEqual(0)
      expect.soft(await stickingOut(page), `${screen.name} at 320 px`).toEqual([])
      await context.close()
    }
  })
}

/** A theme changes only colours, so in dark only the rules that depend on colours are checked. */
async function expectAccessible(browser: Browser, service: SampleService, screen: Screen): Promise<void> {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
  const browserErrors = new BrowserErrors()
  browserErrors.watch(context)
  for (const text of screen.expectedErrors ?? []) browserErrors.allow(text)
  const page = await context.newPage()
  await openScreen(page, service, screen, await copyIn('en'))
  await loadAxe(page)
  expect.soft(await violations(page, RULES), `${screen.name} in light`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await violations(page, COLOR_RULES), `${screen.name} in dark`).toEqual([])
  await setWidth(page, 360)
  expect.soft(await violations(page, RULES), `${screen.name} on a phone`).toEqual([])
  // WCAG 2.2, 1.4.10: at a width of 320 px, a page must not scroll in two directions.
  await setWidth(page, 320)
  // An open menu follows its button some time after the page.
  await expect
    .poll(() => pageOverflowPx(page), `${screen.name} at 320 px, too wide by`)
    .toBeLessThanOrEqual(0)
  expect.soft(await stickingOut(page), `${screen.name} at 320 px`).toEqual([])
  const hasRings = !screen.isOverlay && !screen.expectedErrors
  for (const width of hasRings ? [360, 1280] : []) {
    await setWidth(page, width)
    expect.soft(await cutOffRings(page), `${screen.name} at ${width} px`).toEqual([])
  }
  expect.soft(browserErrors.unexpected(), screen.name).toEqual([])
  await context.close()
}

async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 740 })
  // The page is laid out again some time after the call. In the frame after that, its scripts adapt to it.
  await page.evaluate(`new Promise((resolve) => {
    const wait = () => requestAnimationFrame(innerWidth === ${width} ? () => requestAnimationFrame(resolve) : wait)
    wait()
  })`)
}
