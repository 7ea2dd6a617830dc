import { launch } from 'puppeteer-core'
import { tempDir } from '../../support/temp-dir.ts'
import { downloadedTo, TIMEOUT_MS } from '../other-browsers/other-browser.ts'
import { bytesIn, type SavingBrowser } from './saving-browser.ts'

/** Starts the Chromium that people use, with a profile of its own: its shell has no list of downloads. */
export async function openChromium(): Promise<SavingBrowser> {
  await using stack = new AsyncDisposableStack()
  const downloads = stack.use(tempDir())
  const browser = await launch({
    browser: 'chrome',
    timeout: TIMEOUT_MS,
    executablePath: process.env.HOLDALL_TEST_CHROMIUM ?? '/usr/bin/chromium',
    downloadBehavior: { policy: 'allow', downloadPath: downloads.path },
    // Chromium needs --no-sandbox to run as root. It must reach no other host.
    args: ['--no-sandbox', '--disable-quic', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  })
  stack.defer(() => browser.close())
  const list = await browser.newPage()
  list.setDefaultTimeout(TIMEOUT_MS)
  await list.goto('chrome://downloads')
  const page = await browser.newPage()
  const opened = stack.move()
  return {
    async save(url) {
      // A page that becomes a download is no page.
      await page.goto(url).catch(() => {})
    },
    savedBytes: () => bytesIn(downloads.path),
    async resume() {
      await list.bringToFront()
      await list.locator('aria/More actions').click()
      await list.locator('aria/Resume').click()
    },
    saved: () => downloadedTo(downloads.path),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
