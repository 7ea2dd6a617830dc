import { join } from 'node:path'
import { test as base, expect, type Page } from 'playwright/test'
import { readServiceOrigin } from '../../server/data/service-origin.ts'
import { type Holdall, type HoldallOptions, startHoldall } from '../support/executable.ts'
import { openForwarder } from '../support/forwarder.ts'
import { BrowserErrors } from './browser-errors.ts'
import { KEEP_MESSAGES } from './toast.ts'

interface BrowserTest {
  readonly holdallOptions: HoldallOptions
  /** Whether the service has the same address after a restart. */
  readonly keepsAddress: boolean
  /** A service that is started for this test only. */
  readonly holdall: Holdall
  readonly browserErrors: BrowserErrors
  /** A page in a separate browser context, with its own storage. */
  readonly otherBrowser: Page
}

/** A test in a browser. It fails if the browser reports errors that the test has not allowed. */
export const test = base.extend<BrowserTest>({
  holdallOptions: [{}, { option: true }],
  keepsAddress: [false, { option: true }],
  holdall: async ({ holdallOptions, keepsAddress }, use) => {
    let dataDir: string | null = null
    const targetOrigin = () => (dataDir === null ? null : localOrigin(dataDir))
    using forwarder = await openForwarder(targetOrigin)
    const args = keepsAddress ? ['--base-url', forwarder.origin] : []
    await using holdall = await startHoldall({
      ...holdallOptions,
      args: [...(holdallOptions.args ?? []), ...args],
    })
    dataDir = holdall.dataDir
    await use(holdall)
  },
  // Depends on the service, so that the service stops only after the errors have been checked.
  browserErrors: [
    async ({ context, holdall: _stopsLater }, use) => {
      const browserErrors = new BrowserErrors()
      browserErrors.watch(context)
      await context.addInitScript(KEEP_MESSAGES)
      await use(browserErrors)
      expect(browserErrors.unexpected()).toEqual([])
    },
    { auto: true },
  ],
  otherBrowser: async ({ browser, browserErrors }, use) => {
    const context = await browser.newContext()
    browserErrors.watch(context)
    await context.addInitScript(KEEP_MESSAGES)
    await use(await context.newPage())
    await context.close()
  },
})

function localOrigin(dataDir: string): string | null {
  return readServiceOrigin(join(dataDir, 'service-origin'))?.localOrigin ?? null
}
