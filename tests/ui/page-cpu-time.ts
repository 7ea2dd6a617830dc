import type { Page } from 'playwright/test'

/**
 * Returns a function that measures how much CPU time, in milliseconds, the page's main thread spends during an action.
 * Other processes on the machine don't affect it. Painting in other threads of the browser is not included.
 */
export async function startCpuTimer(
  page: Page,
): Promise<(action: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spentMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
    if (seconds === undefined) throw new Error('The browser does not report TaskDuration.')
    return seconds * 1000
  }
  return async (action) => {
    const beforeMs = await spentMs()
    await action()
    return (await spentMs()) - beforeMs
  }
}

/**
 * Returns the CPU time that the browser needs to render a plain list of 5,000 lines, as the median of five runs. Tests
 * compare against it instead of a fixed time, because it depends on the speed of the machine.
 */
export async function plainListCpuMs(
  page: Page,
  measureCpuMs: (action: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const runsMs: number[] = []
  for (let run = 0; run < 5; run++) runsMs.push(await measureCpuMs(() => page.evaluate(SHOW_PLAIN_LIST)))
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
