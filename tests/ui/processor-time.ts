import type { Page } from 'playwright/test'

/**
 * Measures how long the page's own thread is at work for something, in milliseconds of processor time: so another
 * process on the machine decides nothing. What the browser paints elsewhere is not in it.
 */
export async function openProcessorTime(page: Page): Promise<(work: () => Promise<void>) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spentMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
    if (seconds === undefined) throw new Error('The browser does not count its work.')
    return seconds * 1000
  }
  return async (work) => {
    const before = await spentMs()
    await work()
    return (await spentMs()) - before
  }
}
