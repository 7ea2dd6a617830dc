/**
 * `bun run screenshots` saves every screen to `screenshots/`, in each language, in three widths and both themes. Arguments select
 * screens by the beginning of their names, and languages: `bun run screenshots keys de`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright/test'
import { copyIn } from './copy.ts'
import config from './playwright.config.ts'
import { type SampleService, startSampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'
import { openScreen, screensOf } from './screens.ts'

const OUTPUT_DIR = join(import.meta.dir, '../../screenshots')

const LANGUAGES = ['en', 'de']
const THEMES = ['light', 'dark'] as const

/** A phone, and a laptop that becomes a large screen. */
const DEVICES: readonly { settings: BrowserContextOptions; widths: readonly number[] }[] = [
  {
    settings: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true },
    widths: [360],
  },
  { settings: { viewport: { width: 1440, height: 900 } }, widths: [1440, 1920] },
]
const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 1440: 900, 1920: 1080 }

/** The pictures of the README, which are copied to `.github/`. */
const FRONT = { screen: 'archive-running', language: 'en', viewport: { width: 1280, height: 900 } }

rmSync(OUTPUT_DIR, { recursive: true, force: true })
mkdirSync(OUTPUT_DIR)
const chosen = process.argv.slice(2)
const languages = LANGUAGES.filter((language) => chosen.includes(language))
const prefixes = chosen.filter((word) => !LANGUAGES.includes(word))
const browser = await chromium.launch(config.use?.launchOptions)
for (const language of languages.length > 0 ? languages : LANGUAGES) {
  // A new one for each language, since its archives are soon packed.
  await using service = await startSampleService()
  await takeScreenshots(browser, service, language, prefixes)
}
await browser.close()
console.log(`The screenshots are in ${OUTPUT_DIR}`)

async function takeScreenshots(
  browser: Browser,
  service: SampleService,
  language: string,
  prefixes: readonly string[],
): Promise<void> {
  const copy = await copyIn(language)
  for (const screen of screensOf(service)) {
    if (prefixes.length > 0 && !prefixes.some((prefix) => screen.name.startsWith(prefix))) continue
    for (const { settings, widths } of DEVICES) {
      const context = await browser.newContext({ ...settings, locale: language, reducedMotion: 'reduce' })
      const page = await context.newPage()
      try {
        await openScreen(page, service, screen, copy)
        // Pages with an event stream never become idle, so this waits a fixed time for pictures.
        await page.waitForTimeout(600)
        for (const width of widths) await takeInThemes(page, screen, width, `${language}-${screen.name}`)
        if (screen.name === FRONT.screen && language === FRONT.language && !settings.isMobile)
          await takeFront(page)
      } catch (error) {
        throw new Error(`${screen.name} could not be opened (${language})`, { cause: error })
      }
      await context.close()
    }
  }
}

async function takeInThemes(page: Page, screen: Screen, width: number, name: string): Promise<void> {
  if (page.viewportSize()?.width !== width)
    await page.setViewportSize({ width, height: HEIGHTS[width] ?? width })
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await untilPainted(page)
    await page.screenshot({
      path: join(OUTPUT_DIR, `${name}-${width}-${colorScheme}.png`),
      fullPage: !screen.isOverlay,
    })
  }
}

async function takeFront(page: Page): Promise<void> {
  await page.setViewportSize(FRONT.viewport)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await untilPainted(page)
    await page.screenshot({ path: join(OUTPUT_DIR, `front-${colorScheme}.png`) })
  }
}

/** The map is painted some frames after a change of the theme or of the size. */
async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
  })()`)
}
