/**
 * `bun run screenshots` saves every screen in light, in dark and on a phone to `screenshots/`. Arguments select screens
 * by the beginning of their names: `bun run screenshots keys`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright/test'
import config from './playwright.config.ts'
import { type SampleService, startSampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'
import { openScreen, screensOf } from './screens.ts'

const OUTPUT_DIR = join(import.meta.dir, '../../screenshots')

const VARIANTS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: {
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
  },
  'phone-dark': {
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
  },
} as const

/** The pictures of the README, which are copied to `.github/`. */
const FRONT = { screen: 'archive-running', clip: { x: 160, y: 0, width: 960, height: 700 } }

rmSync(OUTPUT_DIR, { recursive: true, force: true })
mkdirSync(OUTPUT_DIR)
const prefixes = process.argv.slice(2)
await using service = await startSampleService()
const browser = await chromium.launch(config.use?.launchOptions)
for (const screen of screensOf(service)) {
  if (prefixes.length > 0 && !prefixes.some((prefix) => screen.name.startsWith(prefix))) continue
  for (const [variant, settings] of Object.entries(VARIANTS))
    await takeScreenshot(browser, service, screen, variant, settings)
}
await browser.close()
console.log(`The screenshots are in ${OUTPUT_DIR}`)

async function takeScreenshot(
  browser: Browser,
  service: SampleService,
  screen: Screen,
  variant: string,
  settings: (typeof VARIANTS)[keyof typeof VARIANTS],
): Promise<void> {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  await openScreen(page, service, screen)
  // Pages with an event stream never become idle, so this waits a fixed time for animations to end.
  await page.waitForTimeout(600)
  await page.screenshot({
    path: join(OUTPUT_DIR, `${screen.name}-${variant}.png`),
    fullPage: !screen.isOverlay,
  })
  if (screen.name === FRONT.screen && !('isMobile' in settings))
    await page.screenshot({ path: join(OUTPUT_DIR, `front-${variant}.png`), clip: FRONT.clip })
  await context.close()
}
