import { type Browser, type KeyInput, launch } from 'puppeteer-core'
import { tempDir } from '../../support/temp-dir.ts'
import { downloadedTo, type OtherBrowser, type Role, TIMEOUT_MS } from './other-browser.ts'

/**
 * Starts Firefox with a profile of its own, driven over WebDriver BiDi. Disposing of it throws when a page has written an
 * error to its console.
 */
export async function openFirefox(): Promise<OtherBrowser> {
  await using stack = new AsyncDisposableStack()
  const downloads = stack.use(tempDir())
  const browser: Browser = await launch({
    browser: 'firefox',
    timeout: TIMEOUT_MS,
    executablePath: process.env.HOLDALL_TEST_FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: { ...PREFERENCES, 'browser.download.dir': downloads.path },
  })
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  const { keyboard } = page

  async function pressWithControl(key: KeyInput): Promise<void> {
    await keyboard.down('Control')
    await keyboard.press(key)
    await keyboard.up('Control')
  }

  const opened = stack.move()
  return {
    async open(url) {
      await page.goto(url)
    },
    async forgetUser() {
      await page.evaluate('localStorage.clear()')
    },
    async targetOf(link) {
      const found = await page.waitForSelector(selectorOf('link', link))
      return String(await found?.evaluate((anchor) => Reflect.get(anchor, 'href')))
    },
    async untilShown(role, name) {
      await page.waitForSelector(selectorOf(role, name))
    },
    click: (role, name) => page.locator(selectorOf(role, name)).click(),
    async type(text) {
      for (const [index, line] of text.split('\n').entries()) {
        if (index > 0) await keyboard.press('Enter')
        await keyboard.type(line)
      }
    },
    pressCtrlEnter: () => pressWithControl('Enter'),
    async paste(text) {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await pressWithControl('v')
    },
    downloaded: () => downloadedTo(downloads.path),
    async [Symbol.asyncDispose]() {
      await opened.disposeAsync()
      if (errors.length > 0) throw new Error(`A page has written errors: ${errors.join('; ')}`)
    },
  }
}

function selectorOf(role: Role, name: string): string {
  return `aria/${name}[role="${role}"]`
}

const PREFERENCES = {
  // Saves downloads in `browser.download.dir` without asking.
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.download.always_ask_before_handling_new_types': false,
  // A page may write to the clipboard without a click.
  'dom.events.testing.asyncClipboard': true,
}
