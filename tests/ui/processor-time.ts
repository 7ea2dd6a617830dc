import type { Page } from 'playwright/test'

/**
 * Measures how long the page's own thread is at work for something, in milliseconds of processor time: so another
 * process on the machine decides nothing. What the browser paints elsewhere is not in it.
 */
export async function openProcessorTime(
  page: Page,
): Promise<(work: () => Promise<unknown>) => Promise<number>> {
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

/**
 * What the browser itself needs to show a plain list of 5,000 lines: the yardstick for whatever a page does with 5,000
 * of something. It is as slow as the machine is.
 */
export async function plainListMs(
  page: Page,
  processorMs: (work: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const runsMs: number[] = []
  for (let run = 0; run < 5; run++) runsMs.push(await processorMs(() => page.evaluate(SHOW_PLAIN_LIST)))
  return runsMs.toSorted((a, b) => a - b)[2] ?? 0
}

const SHOW_PLAIN_LIST = `(() => {
  const list = document.createElement('ol')
  for (let line = 0; line < 5000; line++) {
    const item = document.createElement('li')
    item.textContent = 'https://a.test/files/' + line + '/photo.jpg'
    list.append(item)
  }
  document.body.append(list)
  list.getBoundingClientRect()
  list.remove()
})()`
