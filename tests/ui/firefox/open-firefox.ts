import { readdirSync, statSync } from 'node:fs'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { tempDir } from '../../support/temp-dir.ts'

/** A running Firefox with one page. Disposing of it ends the browser and deletes its downloads. */
export interface Firefox extends AsyncDisposable {
  readonly page: Page
  /** What the page has written to its console as an error. */
  readonly errors: readonly string[]
  /** Waits until a download is on the disk. @returns its path */
  downloaded(): Promise<string>
}

/** Starts Firefox with a profile of its own, driven over WebDriver BiDi. */
export async function openFirefox(): Promise<Firefox> {
  await using stack = new AsyncDisposableStack()
  const downloads = stack.use(tempDir())
  const browser: Browser = await launch({
    browser: 'firefox',
    executablePath: process.env.HOLDALL_TEST_FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: { ...PREFERENCES, 'browser.download.dir': downloads.path },
  })
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  const opened = stack.move()
  return {
    page,
    errors,
    async downloaded() {
      const deadline = performance.now() + TIMEOUT_MS
      for (;;) {
        const names = readdirSync(downloads.path)
        const [name] = names
        // Until the download is whole, its file is empty, and its bytes are in a second file.
        if (name !== undefined && names.length === 1 && statSync(downloads.file(name)).size > 0)
          return downloads.file(name)
        if (performance.now() > deadline) throw new Error(`Firefox has saved only ${names.join(', ')}.`)
        await Bun.sleep(POLL_MS)
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const PREFERENCES = {
  // Saves downloads in `browser.download.dir` without asking.
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.download.always_ask_before_handling_new_types': false,
  // A page may write to the clipboard without a click.
  'dom.events.testing.asyncClipboard': true,
}
/** The browser, the service and the sources share one machine, which may also be busy with other work. */
const TIMEOUT_MS = 30_000
const POLL_MS = 20
