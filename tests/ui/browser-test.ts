import { test as base, expect, type Page } from 'playwright/test'
import { type Holdall, type HoldallOptions, startHoldall } from '../support/executable.ts'
import { BrowserErrors } from './browser-errors.ts'

interface BrowserTest {
  readonly holdallOptions: HoldallOptions
  /** A service that is started for this test only. */
  readonly holdall: Holdall
  readonly browserErrors: BrowserErrors
  /** A page in a separate browser context, with its own storage. */
  readonly otherBrowser: Page
}

/** A test in a browser. It fails if the browser reports errors that the test has not allowed. */
export const test = base.extend<BrowserTest>({
  holdallOptions: [{}, { option: true }],
  holdall: async ({ holdallOptions }, use) => {
    await using holdall = await startHoldall(holdallOptions)
    await use(holdall)
  },
  // Depends on the service, so that the service stops only after the errors have been checked.
  browserErrors: [
    async ({ context, holdall: _stopsLater }, use) => {
      const browserErrors = new BrowserErrors()
      browserErrors.watch(context)
      await use(browserErrors)
      expect(browserErrors.unexpected()).toEqual([])
    },
    { auto: true },
  ],
  otherBrowser: async ({ browser, browserErrors }, use) => {
    const context = await browser.newContext()
    browserErrors.watch(context)
    await use(await context.newPage())
    await context.close()
  },
})

/** Makes the service listen on a port that is free now, so that it has the same address after a restart. */
export function onFixedPort(): HoldallOptions {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return { args: ['--listen', `127.0.0.1:${port}`] }
}
