import { test as base, expect, type Page } from 'playwright/test'
import { type Holdall, type HoldallOptions, startHoldall } from '../support/executable.ts'
import { Complaints } from './complaints.ts'

interface BrowserTest {
  readonly holdallOptions: HoldallOptions
  /** The service, started for this test alone. */
  readonly holdall: Holdall
  readonly complaints: Complaints
  /** A page of another browser, which knows nothing of this one. */
  readonly stranger: Page
}

/** A test in a browser that has nothing to complain of at its end but what the test says that it provokes. */
export const test = base.extend<BrowserTest>({
  holdallOptions: [{}, { option: true }],
  holdall: async ({ holdallOptions }, use) => {
    await using holdall = await startHoldall(holdallOptions)
    await use(holdall)
  },
  // Asks for the service so that it outlives the last look.
  complaints: [
    async ({ context, holdall: _outlives }, use) => {
      const complaints = new Complaints()
      complaints.watch(context)
      await use(complaints)
      expect(complaints.unprovoked()).toEqual([])
    },
    { auto: true },
  ],
  stranger: async ({ browser, complaints }, use) => {
    const context = await browser.newContext()
    complaints.watch(context)
    await use(await context.newPage())
    await context.close()
  },
})

/** A service that is started again must be where the page looks for it: at a port that is free now. */
export function atOneAddress(): HoldallOptions {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return { args: ['--listen', `127.0.0.1:${port}`] }
}
