import { expect, type Page } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import type { Holdall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { downloadLink, files } from './share-page-steps.ts'

for (const locale of ['en', 'de']) {
  test.describe(`In a browser that prefers ${locale}`, () => {
    test.use({ locale })

    test('the first load of the page for receivers is below 40 kB', async ({ page, holdall }) => {
      const url = await sharedArchive(holdall, 2)
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      const urls = new Map<string, string>()
      let bytes = 0
      session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url))
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (urls.has(requestId)) bytes += encodedDataLength
      })
      await page.goto(url, { waitUntil: 'networkidle' })
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
      expect(urls.size).toBeGreaterThan(4)
      expect(bytes).toBeLessThan(40_000)
    })
  })
}

test('On a slow phone with a slow connection, nothing of the page for receivers moves while it loads', async ({
  page,
  holdall,
}) => {
  const url = await sharedArchive(holdall, 120)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.addInitScript(RECORD_SHIFTS)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await page.goto(url)
  await expect(downloadLink(page)).toBeVisible()
  await expect(files(page)).toHaveCount(100)
  expect(await layoutShift(page)).toBeLessThan(0.01)
})

/** @returns the link to an archive of small files */
async function sharedArchive(holdall: Holdall, count: number): Promise<string> {
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  const id = await client.createJob({ urls: quickUrls(origin, count), zip_filename: 'week' })
  return (await client.untilEnded(id)).share_url ?? ''
}

/** Cumulative layout shift, as Chromium measures it: 0.1 and less is good (web.dev/cls). */
async function layoutShift(page: Page): Promise<number> {
  // What has been laid out is reported with the frame after it.
  await page.evaluate(`(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
  })()`)
  return Number(await page.evaluate('window.layoutShift'))
}

const RECORD_SHIFTS = `
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.layoutShift += value
  }).observe({ type: 'layout-shift', buffered: true })
`
