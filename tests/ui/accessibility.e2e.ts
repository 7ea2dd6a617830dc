import { test as base, expect, type Page } from 'playwright/test'
import { COLOR_RULES, loadAxe, RULES, violations } from './axe.ts'
import { BrowserErrors } from './browser-errors.ts'
import { copyIn } from './copy.ts'
import { cutOffRings } from './cut-off-rings.ts'
import { pageOverflowPx, setWidth } from './page-overflow.ts'
import { type SampleService, startSampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'
import { openScreen, screensOf } from './screens.ts'
import { stickingOut } from './sticking-out.ts'

/** All tests of a process share one service, since its archives take seconds to pack. */
const test = base.extend<object, { readonly service: SampleService }>({
  service: [
    async ({ browser: _needsNoPage }, use) => {
      await using service = await startSampleService()
      await use(service)
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** The screens are divided between this many tests, so that several run at the same time, and none of them takes long. */
const PARTS = 16

for (let part = 1; part <= PARTS; part++) {
  test(`No screen violates a rule of axe or cuts off a focus ring: light, dark and on a phone (part ${part} of ${PARTS})`, async ({
    browser,
    service,
  }) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const screen of screensOfPart(service, part)) await expectAccessible(page, service, screen)
    await context.close()
  })
}

for (let part = 1; part <= PARTS; part++) {
  test(`In German, no screen of a phone is too wide, and nothing sticks out of its card (part ${part} of ${PARTS})`, async ({
    browser,
    service,
  }) => {
    const copy = await copyIn('de')
    const context = await browser.newContext({ locale: 'de', reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const screen of screensOfPart(service, part)) {
      await page.setViewportSize({ width: 360, height: 740 })
      await openScreen(page, service, screen, copy)
      expect.soft(await stickingOut(page), `${screen.name} at 360 px`).toEqual([])
      await setWidth(page, 320)
      await expect
        .poll(() => pageOverflowPx(page), `${screen.name} at 320 px, too wide by`)
        .toBeLessThanOrEqual(0)
      expect.soft(await stickingOut(page), `${screen.name} at 320 px`).toEqual([])
    }
    await context.close()
  })
}

function screensOfPart(service: SampleService, part: number): readonly Screen[] {
  return screensOf(service).filter((_screen, index) => index % PARTS === part - 1)
}

/** A theme changes only colours, so in dark only the rules that depend on colours are checked. */
async function expectAccessible(page: Page, service: SampleService, screen: Screen): Promise<void> {
  const browserErrors = new BrowserErrors()
  browserErrors.watch(page.context())
  for (const text of screen.expectedErrors ?? []) browserErrors.allow(text)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
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
  // The errors of this screen have arrived when another document is shown.
  await page.goto('about:blank')
  expect.soft(browserErrors.unexpected(), screen.name).toEqual([])
}
