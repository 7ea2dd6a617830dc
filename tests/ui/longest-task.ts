import type { Browser, Page } from 'playwright/test'

/**
 * Runs an action and returns the CPU time of the longest task of the page's main thread, in milliseconds. Other processes on
 * the machine don't affect it, unlike the durations that the page itself can observe.
 */
export async function longestTaskCpuMs(
  browser: Browser,
  page: Page,
  action: () => Promise<void>,
): Promise<number> {
  await browser.startTracing(page, {
    categories: ['__metadata', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await action()
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  const mainThreads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasksMs = trace.traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid}/${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
  if (tasksMs.length === 0) throw new Error('The browser has recorded no tasks.')
  return Math.max(...tasksMs)
}

/** An event of Chromium's trace format, as far as it is used here. `tdur` is CPU time in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}
