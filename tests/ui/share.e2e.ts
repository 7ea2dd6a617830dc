import { readFileSync } from 'node:fs'
import { expect, type Page } from 'playwright/test'
import type { JobJson } from '../../server/http/jobs/schemas.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { startFileSource } from '../support/file-source.ts'
import { startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
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
  await expect(page.getByText(/^2 files · \d+ bytes · until tomorrow/)).toBeVisible()
  await expect(page).toHaveTitle('from-strangers.zip · Holdall')
  const download = page.waitForEvent('download')
  await downloadLink(page).click()
  const saved = await (await download).path()
  expect(readFileSync(saved).subarray(0, 2).toString()).toBe('PK')
})

test('A receiver sees the files, downloads one by itself, and copies the link', async ({
  page,
  holdall,
  otherBrowser,
}) => {
  const { id } = await createArchive(await signInByKey(page, holdall))
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const copyLink = page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Copy link' })
  const link = await copiedBy(page, () => copyLink.click())

  await otherBrowser.goto(link)
  await expect(files(otherBrowser)).toHaveText([/page\.html.*bytes/, /drawing\.svg.*bytes/])
  const download = otherBrowser.waitForEvent('download')
  await otherBrowser.getByRole('link', { name: 'Download drawing.svg' }).click()
  expect((await download).suggestedFilename()).toBe('drawing.svg')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(FILES['drawing.svg'].body)

  await page.goto(link)
  const copied = await copiedBy(page, () => page.getByRole('button', { name: 'Copy link' }).click())
  expect(copied).toBe(page.url())
})

test('A large archive is listed as one scrolls, and what is missing is said', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  // The first link fails, so the position of a file is not its place in the list.
  const paths = ['/status/404', ...Array.from({ length: 350 }, (_, index) => `/bytes/10/${index}.bin`)]
  const { share_url } = await client.untilEnded(
    await client.createJob({ urls: paths.map(origin.url), fail_on_url_error: false }),
  )
  await page.goto(share_url ?? '')
  await expect(page.getByText('1 file is missing: it couldn’t be fetched')).toBeVisible()
  await expect(files(page)).toHaveCount(100)
  const last = page.getByRole('link', { name: 'Download 349.bin' })
  await expect(async () => {
    await files(page).last().scrollIntoViewIfNeeded()
    await expect(last).toBeVisible({ timeout: 100 })
  }).toPass()
  const download = page.waitForEvent('download')
  await last.click()
  expect((await download).suggestedFilename()).toBe('349.bin')
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

test('Folders are folded, and several files at once are downloaded as a smaller ZIP', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  const named = (filename: string, index: number) => ({
    url: origin.url(`/bytes/${100 + index}/x`),
    filename,
  })
  const id = await client.createJob({
    files: ['talks/one.bin', 'talks/two.bin', 'photos/sea/three.bin', 'four.bin'].map(named),
    zip_filename: 'trip',
  })
  const { share_url = '' } = await client.untilEnded(id)
  await page.goto(share_url)
  await expect(files(page)).toHaveCount(7)
  await page.getByRole('button', { name: 'talks' }).click()
  await expect(files(page)).toHaveCount(5)
  const folder = await saved(page, () => page.getByRole('link', { name: 'Download folder photos' }).click())
  expect(folder).toEqual({ filename: 'trip (1 file).zip', names: ['photos/sea/three.bin'] })

  await page.getByRole('button', { name: 'Select' }).click()
  await expect(page.getByRole('link', { name: 'Download all' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Folder talks/' }).check()
  await page.getByRole('checkbox', { name: 'four.bin' }).check()
  await expect(page.getByText(/^3 files · /)).toBeVisible()
  const some = await saved(page, () => page.getByRole('link', { name: 'Download as ZIP' }).click())
  expect(some).toEqual({
    filename: 'trip (3 files).zip',
    names: ['talks/one.bin', 'talks/two.bin', 'four.bin'],
  })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('A phone reads the link from the QR code, on the page of the archive and on that of the receiver', async ({
  page,
  holdall,
}) => {
  const { id, share_url = '' } = await createArchive(await signInByKey(page, holdall))
  for (const [url, button] of [
    [`${holdall.address}/archives/${id}`, 'Share'],
    [share_url, 'QR code'],
  ] as const) {
    await page.goto(url)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: button }).click()
    const code = page.getByRole('dialog', { name: button }).getByRole('img', { name: 'QR code of the link' })
    const read = await readQrCode(page, await code.screenshot())
    expect(read).toBe(share_url)
    // Screen readers announce what is copied here, too.
    await expect(page.getByRole('status')).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: button })).toBeFocused()
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

/** The name of a ZIP that a click downloads, and the names in it. */
async function saved(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const entries = await readZip(await download.path())
  return { filename: download.suggestedFilename(), names: entries.map(({ name }) => name) }
}

async function expectNothingRan(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/sign-in`)
  expect(await page.evaluate(`localStorage.getItem('stolen')`)).toBeNull()
}

test('Of a link that only this computer can open, Share, copying and the QR code say so, and how to change that', async ({
  page,
  holdall,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id, share_url = '' } = await createArchive(await signInByKey(page, holdall))
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog')).toContainText('Only this computer can open this link.')
  await page.goto(share_url)
  await page.getByRole('button', { name: 'Copy link' }).click()
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expect(notices).toContainText('Only this computer can open this link.')
  await notices.getByRole('button', { name: 'How to change that' }).click()
  await expect(page.getByRole('dialog')).toContainText('--listen 0.0.0.0:')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'QR code' }).click()
  await expect(page.getByRole('dialog')).toContainText('Only this computer can open this link.')
})
