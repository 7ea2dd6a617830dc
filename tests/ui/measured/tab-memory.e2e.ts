import { type CDPSession, expect, type Page } from 'playwright/test'
import type { Client } from '../../support/client.ts'
import { type Origin, startOrigin } from '../../support/origin.ts'
import { quickUrls } from '../archive-page-steps.ts'
import { test } from '../browser-test.ts'
import { fileRows, pasteLinks } from '../link-steps.ts'
import { signInByKey, signInByLink } from '../sign-in-steps.ts'

test('Going to the archives and back ten times, with a draft, leaves no page behind', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, Array.from({ length: 200 }, (_, index) => `https://a.test/${index}.pdf`).join('\n'))
  await expect(fileRows(page).first()).toBeVisible()
  const measure = await openMeter(page)
  // The first rounds compile code, which stays.
  for (let round = 0; round < 5; round++) await toArchivesAndBack(page)
  const before = await measure()
  for (let round = 0; round < 10; round++) await toArchivesAndBack(page)
  const after = await measure()
  expect(after.nodes - before.nodes).toBeLessThan(200)
  expect(after.heapBytes - before.heapBytes).toBeLessThan(1_000_000)
})

test('After fifty archives, the tab takes less than 1.3 times the memory that it took after five', async ({
  page,
  holdall,
}) => {
  test.setTimeout(120_000)
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchives(client, origin)
  await page.goto(holdall.address)
  const measure = await openMeter(page)
  let afterFive: Memory | null = null
  for (let index = 0; index < 50; index++) {
    await page.getByRole('navigation').getByRole('link', { name: 'Archives' }).click()
    await page.getByRole('link', { name: `a${index % ARCHIVES}.zip`, exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
    if (index === 4) afterFive = await measure()
  }
  const afterFifty = await measure()
  expect(afterFifty.heapBytes).toBeLessThan(1.3 * (afterFive?.heapBytes ?? 0))
  expect(afterFifty.nodes).toBeLessThan(1.3 * (afterFive?.nodes ?? 0))
})

interface Memory {
  readonly nodes: number
  readonly heapBytes: number
}

/** Returns a function that measures what is left after a forced garbage collection. */
async function openMeter(page: Page): Promise<() => Promise<Memory>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  await devTools.send('HeapProfiler.enable')
  return () => measured(page, devTools)
}

async function measured(page: Page, devTools: CDPSession): Promise<Memory> {
  // What one collection finds unused may free more for the next one, after the tasks that it queues.
  for (let pass = 0; pass < 3; pass++) {
    await devTools.send('HeapProfiler.collectGarbage')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  }
  const { metrics } = await devTools.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return { nodes: metric('Nodes'), heapBytes: metric('JSHeapUsedSize') }
}

async function toArchivesAndBack(page: Page): Promise<void> {
  const menu = page.getByRole('navigation')
  await menu.getByRole('link', { name: 'Archives' }).click()
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
  await menu.getByRole('link', { name: 'New' }).click()
  await expect(fileRows(page).first()).toBeVisible()
}

/** Few enough for one page of the list. */
async function createArchives(client: Client, origin: Origin): Promise<void> {
  const ids: string[] = []
  for (let index = 0; index < ARCHIVES; index++)
    ids.push(await client.createJob({ urls: quickUrls(origin, 30), zip_filename: `a${index}` }))
  for (const id of ids) await client.untilEnded(id)
}

const ARCHIVES = 20
