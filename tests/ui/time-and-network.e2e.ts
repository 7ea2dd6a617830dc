import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

const MINUTE_MS = 60_000

for (const minutes of [6, -6]) {
  test(`An archive that is kept for five minutes is ready, although the clock of the device is off by ${minutes} minutes`, async ({
    page,
    holdall,
  }) => {
    await using origin = await startOrigin()
    const client = await signInByKey(page, holdall)
    await page.clock.install({ time: Date.now() + minutes * MINUTE_MS })
    const id = await client.createJob({ urls: quickUrls(origin, 1), expires_in: 300, zip_filename: 'brief' })
    await client.untilEnded(id)
    await page.goto(`${holdall.address}/archives/${id}`)
    await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
    await expect(page.getByText(/Expires in 4 minutes \d+ seconds/)).toBeVisible()
    await page.goto(`${holdall.address}/archives`)
    await expect(page.getByRole('listitem').filter({ hasText: 'brief.zip' })).toContainText('Ready')
  })
}

for (const [cause, path, content] of [
  ['a request has no response', '/keys', 'Last used'],
  ['an event stream is silent', '/archives', 'No archives yet'],
] as const) {
  test(`The banner tells that the service has hung, because ${cause}`, async ({ page, holdall }) => {
    await signInByKey(page, holdall)
    await page.clock.install()
    await page.goto(holdall.address + path)
    await expect(page.getByText(content)).toBeVisible()
    process.kill(holdall.pid, 'SIGSTOP')
    await expect(async () => {
      await page.clock.runFor(5_000)
      await expect(banner(page)).toBeVisible({ timeout: 100 })
    }).toPass({ intervals: [0] })
    process.kill(holdall.pid, 'SIGCONT')
    await expect(async () => {
      await page.clock.runFor(1_000)
      await expect(banner(page)).toBeHidden({ timeout: 500 })
    }).toPass({ intervals: [0] })
  })
}

test('A page whose code can’t be loaded shows an error, other pages still open, and it opens when it is visited again', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('net::ERR_FAILED')
  browserErrors.allow('Failed to fetch dynamically imported module')
  await signInByKey(page, holdall)
  await page.route('**/assets/keys-page-*', (route) => route.abort())
  await page.goto(holdall.address)
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'Couldn’t load this page' })).toBeVisible()
  await page.unroute('**/assets/keys-page-*')
  await page.getByRole('link', { name: 'Archives', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
})

test('The list of shortcuts opens after a failure to load it', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow('net::ERR_FAILED')
  await signInByKey(page, holdall)
  await page.route('**/assets/shortcuts-dialog-*', (route) => route.abort())
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
    'Couldn’t load the shortcuts',
  )
  await page.unroute('**/assets/shortcuts-dialog-*')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('Speed and time left change while an archive is made', async ({ page, holdall }) => {
  let chunkBytes = 4_000
  await using source = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    fetch: () => {
      const body = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(100)
          controller.enqueue(new Uint8Array(chunkBytes))
        },
      })
      return new Response(body, { headers: { 'content-length': '200000000' } })
    },
  })
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [new URL('/song.mp3', source.url).href] })
  await page.goto(`${holdall.address}/archives/${id}`)
  const timeLeft = page.getByText(/about .* left/)
  const speed = page.getByText(/ kB\/s$/)
  for (const figure of [timeLeft, speed]) {
    await expect(figure).toBeVisible()
    const first = await figure.textContent()
    chunkBytes *= 4
    await expect(figure).not.toHaveText(first ?? '')
  }
})

test('The page of a finished archive of 5,000 files never shows them as waiting', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 5_000) })
  await client.untilEnded(id, 180_000)
  await page.addInitScript(`
    globalThis.labels = new Set()
    new MutationObserver(() => {
      const label = document.querySelector('canvas')?.getAttribute('aria-label')
      if (label) labels.add(label)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  `)
  const entryRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/entries?')) entryRequests.push(request.url())
  })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('img', { name: /^Map of 5,000 files: 5,000 done/ })).toBeVisible()
  expect(await page.evaluate(`[...labels].filter((label) => label.includes('waiting'))`)).toEqual([])
  expect(entryRequests).toHaveLength(5)
})

function banner(page: Page) {
  return page.getByText('Reconnecting to Holdall…')
}
