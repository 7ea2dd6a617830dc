/**
 * `bun run screenshots`: every screen in light, in dark and on a phone, as files in `screenshots/`, to be looked at.
 * Names on the command line choose screens: `bun run screenshots keys`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright/test'
import config from './playwright.config.ts'
import { openScene, type Scene } from './scene.ts'
import { openScreen, type Screen, screensOf } from './screens.ts'

const OUTPUT_DIR = join(import.meta.dir, '../../screenshots')

const LOOKS = {
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

rmSync(OUTPUT_DIR, { recursive: true, force: true })
mkdirSync(OUTPUT_DIR)
const wanted = process.argv.slice(2)
await using scene = await openScene()
const browser = await chromium.launch(config.use?.launchOptions)
for (const screen of screensOf(scene)) {
  if (wanted.length > 0 && !wanted.some((name) => screen.name.startsWith(name))) continue
  for (const [look, settings] of Object.entries(LOOKS)) await take(browser, scene, screen, look, settings)
}
await browser.close()
console.log(`The screenshots are in ${OUTPUT_DIR}`)

async function take(
  browser: Browser,
  scene: Scene,
  screen: Screen,
  look: string,
  settings: (typeof LOOKS)[keyof typeof LOOKS],
): Promise<void> {
  const context = await browser.newContext(settings)
  const page = await context.newPage()
  await openScreen(page, scene, screen)
  // Live pages never fall silent: a moment is enough for what moves in.
  await page.waitForTimeout(600)
  await page.screenshot({ path: join(OUTPUT_DIR, `${screen.name}-${look}.png`), fullPage: !screen.isOverlay })
  await context.close()
}
