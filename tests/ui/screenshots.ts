/**
 * `bun run screenshots` saves every screen to `screenshots/`, in three widths and both themes. Arguments select screens
 * by the beginning of their names: `bun run screenshots keys`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type PageScreenshotOptions } from 'playwright/test'
import config from './playwright.config.ts'
import { startSampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'
import { openScreen, screensOf } from './screens.ts'

const OUTPUT_DIR = join(import.meta.dir, '../../screenshots')

/** A phone, a laptop and a large screen. */
const SIZES = {
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true },
  1440: { viewport: { width: 1440, height: 900 } },
  1920: { viewport: { width: 1920, height: 1080 } },
} as const
const THEMES = ['light', 'dark'] as const

/** The pictures of the README, which are copied to `.github/`. */
const FRONT = {
  screen: 'archive-running',
  size: { viewport: { width: 1280, height: 900 } },
  clip: { x: 0, y: 0, width: 1280, height: 900 },
}

rmSync(OUTPUT_DIR, { recursive: true, force: true })
mkdirSync(OUTPUT_DIR)
const prefixes = process.argv.slice(2)
await using service = await startSampleService()
const browser = await chromium.launch(config.use?.launchOptions)
for (const screen of screensOf(service)) {
  if (prefixes.length > 0 && !prefixes.some((prefix) => screen.name.startsWith(prefix))) continue
  for (const colorScheme of THEMES) {
    for (const [width, size] of Object.entries(SIZES))
      await takeScreenshot(screen, { ...size, colorScheme }, `${screen.name}-${width}-${colorScheme}`, {
        fullPage: !screen.isOverlay,
      })
    if (screen.name === FRONT.screen)
      await takeScreenshot(screen, { ...FRONT.size, colorScheme }, `front-${colorScheme}`, {
        clip: FRONT.clip,
      })
  }
}
await browser.close()
console.log(`The screenshots are in ${OUTPUT_DIR}`)

async function takeScreenshot(
  screen: Screen,
  settings: BrowserContextOptions,
  name: string,
  options: PageScreenshotOptions,
): Promise<void> {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  await openScreen(page, service, screen)
  // Pages with an event stream never become idle, so this waits a fixed time for animations to end.
  await page.waitForTimeout(600)
  await page.screenshot({ path: join(OUTPUT_DIR, `${name}.png`), ...options })
  await context.close()
}
