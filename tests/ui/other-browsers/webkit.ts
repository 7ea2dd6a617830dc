import { mkdirSync, writeFileSync } from 'node:fs'
import { Builder, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort, untilListening } from '../../support/free-port.ts'
import { linesOf } from '../../support/lines-of.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { downloadedTo, type OtherBrowser, type Role, TIMEOUT_MS } from './other-browser.ts'

/** Starts the browser of WebKitGTK on a display of its own, driven over WebDriver. */
export async function openWebKit(): Promise<OtherBrowser> {
  await using stack = new AsyncDisposableStack()
  const home = stack.use(tempDir())
  const downloads = home.file('downloads')
  mkdirSync(downloads)
  mkdirSync(home.file('.config'))
  writeFileSync(home.file('.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const display = Bun.spawn(['Xvfb', '-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  stack.defer(() => end(display))
  const number = await firstLine(display.stdout)
  const port = await freePort()
  const server = Bun.spawn(['WebKitWebDriver', `--port=${port}`], {
    env: { PATH: process.env.PATH, HOME: home.path, DISPLAY: `:${number}` },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  stack.defer(() => end(server))
  await untilListening(port)
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
    })
    .build()
  stack.defer(() => driver.quit())
  const opened = stack.move()
  return {
    open: (url) => driver.get(url),
    forgetUser: () => driver.executeScript('localStorage.clear()'),
    targetOf: (link) =>
      withElement(driver, 'link', link, async (found) => String(await found.getAttribute('href'))),
    async untilShown(role, name) {
      await untilThere(driver, role, name)
    },
    click: (role, name) => withElement(driver, role, name, (found) => found.click()),
    type: (text) => driver.actions().sendKeys(text.replaceAll('\n', Key.ENTER)).perform(),
    pressCtrlEnter: () =>
      driver.actions().keyDown(Key.CONTROL).sendKeys(Key.ENTER).keyUp(Key.CONTROL).perform(),
    // A page may not write to the clipboard without a click, so that there is nothing to paste by keys.
    paste: (text) => driver.executeScript(DISPATCH_PASTE, text),
    downloaded: () => downloadedTo(downloads),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Of the package libwebkit2gtk-4.1-0, which WebKitWebDriver needs. Its path has the name of the processor. */
export function findMiniBrowser(): string {
  const [path] = new Bun.Glob('/usr/lib/*/webkit2gtk-4.1/MiniBrowser').scanSync()
  if (path === undefined) throw new Error('The browser tests need WebKit: please install webkit2gtk-driver.')
  return path
}

/** Looks again if the page has drawn the element anew before it was used. */
async function withElement<T>(
  driver: WebDriver,
  role: Role,
  name: string,
  use: (found: WebElement) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await use(await untilThere(driver, role, name))
    } catch (failure) {
      if (!(failure instanceof error.StaleElementReferenceError)) throw failure
    }
  }
}

async function untilThere(driver: WebDriver, role: Role, name: string): Promise<WebElement> {
  const find = () => driver.executeScript<WebElement | null>(FIND, SELECTORS[role], name)
  return (await driver.wait(find, TIMEOUT_MS, `The page has no ${role} "${name}".`)) as WebElement
}

const SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button',
  link: 'a[href]',
  textbox: '[role=textbox], textarea',
}

const FIND = `
  const labelOf = (element) => document.getElementById(element.getAttribute('aria-labelledby')) ?? element
  const nameOf = (element) => element.getAttribute('aria-label') ?? labelOf(element).innerText
  return [...document.querySelectorAll(arguments[0])].find((element) => nameOf(element).trim() === arguments[1])`

const DISPATCH_PASTE = `
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', arguments[0])
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))`

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const line of linesOf(stream)) return line
  throw new Error('Xvfb has ended.')
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill()
  await child.exited
}
