import { launch } from 'puppeteer-core'
import { tempDir } from '../../support/temp-dir.ts'
import { downloadedTo, TIMEOUT_MS } from '../other-browsers/other-browser.ts'
import { bytesIn, type SavingBrowser } from './saving-browser.ts'

/** Starts Firefox with a profile of its own, so that its list of downloads can be used as a page. */
export async function openFirefox(): Promise<SavingBrowser> {
  await using stack = new AsyncDisposableStack()
  const downloads = stack.use(tempDir())
  const browser = await launch({
    browser: 'firefox',
    timeout: TIMEOUT_MS,
    executablePath: process.env.HOLDALL_TEST_FIREFOX ?? '/usr/bin/firefox-esr',
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      // Saves downloads without asking.
      'browser.download.dir': downloads.path,
      'browser.download.folderList': 2,
      'browser.download.useDownloadDir': true,
      'browser.download.always_ask_before_handling_new_types': false,
    },
  })
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  const opened = stack.move()
  return {
    async save(url) {
      // A page that becomes a download never loads.
      page.goto(url).catch(() => {})
    },
    savedBytes: () => bytesIn(downloads.path),
    async resume() {
      const list = await browser.newPage()
      list.goto('about:downloads').catch(() => {})
      const startedMs = performance.now()
      while ((await list.evaluate(RETRY).catch(() => false)) !== true) {
        if (performance.now() - startedMs > TIMEOUT_MS) throw new Error('Firefox offers no retry.')
        await Bun.sleep(POLL_MS)
      }
    },
    saved: () => downloadedTo(downloads.path),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Presses the button of the download that has failed: its state is 2. */
const RETRY = `(() => {
  const button = document.querySelector('#downloadsListBox richlistitem[state="2"] .downloadButton')
  button?.click()
  return button !== null
})()`
const POLL_MS = 100
