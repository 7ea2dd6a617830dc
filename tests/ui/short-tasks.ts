import { type Browser, expect, type Page } from 'playwright/test'
import { longestTaskCpuMs } from './longest-task.ts'
import { plainListCpuMs, startCpuTimer } from './page-cpu-time.ts'

/** What a user does, by its name, in the order in which they do it. */
export type Steps = Readonly<Record<string, () => Promise<void>>>

/**
 * Expects that no step blocks the page for as long as the browser needs to render a plain list of so many lines. A step that
 * does is repeated, with all others, because the browser collects garbage during some steps, and the speed of a machine changes.
 *
 * @param prepare makes the page as it was before the first step
 */
export async function expectShortTasks(
  browser: Browser,
  page: Page,
  plainLines: number,
  steps: Steps,
  prepare: () => Promise<void>,
): Promise<void> {
  const measureCpuMs = await startCpuTimer(page)
  let longSteps = Object.keys(steps)
  const seen: string[] = []
  for (let run = 0; run < MAX_RUNS && longSteps.length > 0; run++) {
    await prepare()
    const maxTaskMs = ((await plainListCpuMs(page, measureCpuMs)) * plainLines) / 5_000
    const tasksMs: Record<string, number> = {}
    for (const [step, action] of Object.entries(steps))
      tasksMs[step] = await longestTaskCpuMs(browser, page, action)
    longSteps = longSteps.filter((step) => (tasksMs[step] ?? Infinity) > maxTaskMs)
    for (const step of longSteps) seen.push(`${step}: ${tasksMs[step]} of ${maxTaskMs} ms`)
  }
  expect(longSteps, seen.join(', ')).toEqual([])
}

const MAX_RUNS = 4
