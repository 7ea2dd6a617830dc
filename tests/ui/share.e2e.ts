import { readFileSync } from 'node:fs'
import { expect, type Page } from 'playwright/test'
import type { JobJson } from '../../server/http/jobs/schemas.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { startFileSource } from '../support/file-source.ts'
import { startOrigin } from '../support/origin.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { readQrCode } from './read-qr-code.ts'
import { followPageClock } from './service-clock.ts'
import { downloadLink, files } from './share-page-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

/** Scripts that would show that they run in the origin of the service. */
const SCRIPT = `document.title = 'ran'; localStorage.setItem('stolen', '1')`
const FILES = {
  'page.html': { type: 'text/html', body: `<!doctype html><title>page</title><script>${SCRIPT}</script>` },
  'drawing.svg': {
    type: 'image/svg+xml',
    body: `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`,
  },
}

async function createArchive(client: Client, settings: object = {}): Promise<JobJson & { token: string }> {
  await using source = startFileSource(FILES)
  const id = await client.createJob({ urls: [...source.urls], zip_filename: 'from-strangers', ...settings })
  const job = await client.untilEnded(id)
  return { ...job, token: new URL(job.download_url ?? '').pathname.split('/')[2] ?? '' }
}

test('Somebody with a link sees the archive without signing in, and downloads it', async ({
  page,
  holdall,
}) => {
  const { token } = await createArchive(await signInOwner(holdall))
  await page.goto(`${holdall.address}/share/${token}`)
  await expect(page.getByRole('heading', { name: 'from-strangers.zip' })).toBeVisible()
  await expect(page.getByText(/2 files · \d+ bytes/)).toBeVisible()
  await expect(page.getByText(/^Available until tomorrow/)).toBeVisible()
  await expect(page).toHaveTitle('from-strangers.zip · Holdall')
  const download = page.waitForEvent('download')
  await downloadLink(page).click()
  const saved = await (await download).path()
  expect(readFileSync(saved).subarray(0, 2).toString()).toBe('PK')
})

test('A receiver sees the files, downloads one by itself, and copies the link', async ({
  page,
  holdall,
  context,
  otherBrowser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await createArchive(await signInByKey(page, holdall))
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  const link = String(await page.evaluate('navigator.clipboard.readText()'))

  await otherBrowser.goto(link)
  await expect(files(otherBrowser)).toHaveText([/page\.html.*bytes/, /drawing\.svg.*bytes/])
  const download = otherBrowser.waitForEvent('download')
  await otherBrowser.getByRole('link', { name: 'Download drawing.svg' }).click()
  expect((await download).suggestedFilename()).toBe('drawing.svg')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(FILES['drawing.svg'].body)

  await page.goto(link)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(page.url())
})

test('All files of a large archive are on its map, which leads to them', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  // The first link fails, so the position of a file is not its place in the list.
  const paths = ['/status/404', ...Array.from({ length: 1_100 }, (_, index) => `/bytes/10/${index}.bin`)]
  const { share_url } = await client.untilEnded(
    await client.createJob({ urls: paths.map(origin.url), fail_on_url_error: false }),
  )
  await page.goto(share_url ?? '')
  const map = page.getByRole('img', { name: 'Map of 1,100 files: 1,100 done. Each has a row in the list.' })
  const { width = 0, height = 0 } = (await map.boundingBox()) ?? {}
  // The last row may not be full, so this is not the last file.
  await map.click({ position: { x: width / 4, y: height - 2 } })
  const link = page.locator('a:focus')
  const name = /^Download (\d+\.bin)$/.exec((await link.getAttribute('aria-label')) ?? '')?.[1] ?? ''
  expect(Number.parseInt(name, 10)).toBeGreaterThan(1_000)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toBe(name)
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

test('A phone reads the link from the QR code, on the page of the archive and on that of the receiver', async ({
  page,
  holdall,
}) => {
  const { id, share_url = '' } = await createArchive(await signInByKey(page, holdall))
  for (const url of [`${holdall.address}/archives/${id}`, share_url]) {
    await page.goto(url)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'QR code' }).click()
    const code = page
      .getByRole('dialog', { name: 'QR code' })
      .getByRole('img', { name: 'QR code of the link' })
    const read = await readQrCode(page, await code.screenshot())
    expect(read).toBe(share_url)
    await expect(page.getByRole('dialog').getByText(read)).toBeVisible()
    // Screen readers announce what is copied here, too.
    await expect(page.getByRole('status')).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'QR code' })).toBeFocused()
  }
})

test('When the archive expires, a page that is open says so', async ({ page, holdall }) => {
  const { token } = await createArchive(await signInOwner(holdall))
  await page.clock.install()
  await page.goto(`${holdall.address}/share/${token}`)
  await expect(downloadLink(page)).toBeVisible()
  await followPageClock(page)
  await page.clock.fastForward('24:00:01')
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await expect(downloadLink(page)).toBeHidden()
})

test.describe('Without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page shows the archive and its link downloads it', async ({ page, holdall, browserErrors }) => {
    // The scripts of the page, which Chromium refuses to load.
    browserErrors.allow('csp http://127.0.0.1:')
    const { token } = await createArchive(await signInOwner(holdall))
    await page.goto(`${holdall.address}/share/${token}`)
    await expect(page.getByRole('heading', { name: 'from-strangers.zip' })).toBeVisible()
    await expect(page.getByText(/^2 files, .* Available until 20/)).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('from-strangers.zip')
  })
})

test('A link to a deleted archive opens a page that says so', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('403'))
  const client = await signInOwner(holdall)
  const { id, token, download_url } = await createArchive(client)
  await client.request('DELETE', `/jobs/${id}`)
  for (const url of [download_url ?? '', `${holdall.address}/share/${token}`]) {
    const response = await page.goto(url)
    expect(response?.status()).toBe(403)
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  }
  await page.goto(`${holdall.address}/share/wrong`)
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
})

test('A page address that does not exist says so', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('404'))
  const response = await page.goto(`${holdall.address}/no/such/page`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('HTML and SVG out of an archive are saved, and never run in the origin of the service', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('Blocked script execution in')
  const { token } = await createArchive(await signInOwner(holdall))
  for (const position of [0, 1]) {
    const url = `${holdall.address}/download/${token}/entries/${position}`
    const download = page.waitForEvent('download')
    // The navigation becomes a download.
    await page.goto(url).catch(() => {})
    expect((await download).suggestedFilename()).toBe(Object.keys(FILES)[position])
    await expectNothingRan(page, holdall.address)

    // Even a browser that ignored Content-Disposition would run no script.
    await page.route(url, async (route) => {
      const response = await route.fetch()
      const { 'content-disposition': _left, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    const shown = await page.goto(url)
    expect(shown?.headers()['content-disposition']).toBeUndefined()
    expect(await page.title()).not.toBe('ran')
    expect(await page.evaluate('origin')).toBe('null')
    await expectNothingRan(page, holdall.address)
  }
})

async function expectNothingRan(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/sign-in`)
  expect(await page.evaluate(`localStorage.getItem('stolen')`)).toBeNull()
}

test('Of a link that only this computer can open, copying and the QR code say so, and how to change that', async ({
  page,
  holdall,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await createArchive(await signInByKey(page, holdall))
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Copy link' }).click()
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expect(notices).toContainText('Only this computer can open this link.')
  await notices.getByRole('button', { name: 'How to change that' }).click()
  await expect(page.getByRole('dialog')).toContainText('--listen 0.0.0.0:')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'QR code' }).click()
  await expect(page.getByRole('dialog')).toContainText('Only this computer can open this link.')
})
