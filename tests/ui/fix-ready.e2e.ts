import { expect, type Page } from 'playwright/test'
import type { Holdall } from '../support/executable.ts'
import { expectedSha256, type Origin, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'
import { recordSteps } from './steps-taken.ts'

const GOOD = ['/bytes/100/one.bin', '/bytes/200/two.bin']

test('Failed links of a ready archive are fixed: the new archive has all files, and only the failed ones were fetched', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const { id } = await openReady(page, holdall, origin, ['/status/404', '/status/410?gone'])
  await expect(page.getByText('2 left out')).toBeVisible()
  await page.getByRole('button', { name: 'Fix 2 links' }).click()
  await expect(urlField(page, 3)).toBeFocused()
  await expect(page.getByText('No links fixed yet')).toBeVisible()

  await urlField(page, 3).fill(origin.url('/bytes/300/three.bin'))
  await urlField(page, 4).fill('four')
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(urlField(page, 4)).toHaveAccessibleDescription('Not a valid URL')
  await expect(urlField(page, 4)).toBeFocused()
  await urlField(page, 4).fill(origin.url('/bytes/400/four.bin'))
  await page.getByRole('button', { name: 'Pack again' }).click()

  await expect(page.getByText('4 files ·')).toBeVisible()
  expect(page.url()).not.toContain(id)
  await expect(page.getByText('2 files copied')).toBeVisible()
  await expectDownload(page, [100, 200, 300, 400])
  for (const path of GOOD) expect(origin.requests(path)).toHaveLength(1)
  expect(origin.requests('/status/404')).toHaveLength(1)
  expect(origin.requests('/bytes/300/three.bin')).toHaveLength(1)

  await page.getByRole('link', { name: 'An earlier archive' }).click()
  await expect(page.getByText('2 left out')).toBeVisible()
})

test('A receiver gets the fixed archive by the link that was shared, and the owner finds the earlier version: three clicks', async ({
  page,
  holdall,
  otherBrowser,
}) => {
  await using origin = await startOrigin()
  const { client, id } = await openReady(page, holdall, origin, ['/status/404'])
  const { share_url = '' } = await client.getJob(id)
  await otherBrowser.goto(share_url)
  await expect(otherBrowser.getByText('1 file is missing')).toBeVisible()
  const steps = await recordSteps(page)

  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await expect(page.locator('[data-variant="primary"]:visible')).toHaveText(['Pack again'])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(origin.url('/bytes/300/three.bin'))
  await page.getByRole('button', { name: 'Pack again' }).click()
  // Until then, the page has the link of the archive before.
  await expect(page.getByText('3 files ·')).toBeVisible()
  await expectDownload(page, [100, 200, 300])
  await expect.poll(() => steps).toEqual(['Fix 1 link', 'Pack again', 'Download'])

  const newId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(newId).not.toBe(id)
  expect((await client.getJob(newId)).share_url).toBe(share_url)
  await otherBrowser.reload()
  await expect(otherBrowser.getByText(/^3 files · /)).toBeVisible()
  await expect(otherBrowser.getByText('missing')).toBeHidden()

  const versions = page.getByRole('region', { name: 'Earlier versions' })
  await expect(versions.getByRole('listitem')).toHaveText([/^today.*2 files/i])
  await versions.getByRole('link').click()
  await expect(page.getByText('A newer version has replaced this archive')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  await expectDownload(page, [100, 200])
  await page.getByRole('link', { name: 'the newer version' }).click()
  await expect(page.getByText('3 files ·')).toBeVisible()
})

test('The new archive is named and kept like the ready one, has its metadata, and keeps the names of its files', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const { client } = await openReady(page, holdall, origin, [], {
    files: [
      { url: origin.url('/bytes/100/a'), filename: 'letters/one.bin' },
      { url: origin.url('/status/404'), filename: 'letters/two.bin' },
    ],
    expires_in: 7200,
    metadata: { customer: 'Lighthouse' },
  })
  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await urlField(page, 2).fill(origin.url('/bytes/200/b'))
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('2 files ·')).toBeVisible()

  const job = await client.getJob(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  expect(job.zip_filename).toBe('reports.zip')
  expect(job.metadata).toEqual({ customer: 'Lighthouse' })
  expect(Date.parse(job.expires_at ?? '') - Date.parse(job.completed_at ?? '')).toBe(7_200_000)
  await expectDownload(page, [100, 200], ['letters/one.bin', 'letters/two.bin'])
})

test('Links that failed are tried again as they are, and fixing can be given up', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await openReady(page, holdall, origin, ['/bytes/300/three.bin?fail=1&fail_status=404'])
  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(urlField(page, 3)).toBeHidden()
  await expect(page.locator('tr:focus')).toContainText('Not found (404)')

  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('3 files ·')).toBeVisible()
  expect(origin.requests('/bytes/300/three.bin')).toHaveLength(2)
  for (const path of GOOD) expect(origin.requests(path)).toHaveLength(1)
})

test('A ready archive is refreshed: files that have not changed are asked for, and not fetched', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const { id } = await openReady(page, holdall, origin, [])
  await page.getByRole('button', { name: 'Refresh' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refresh this archive?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(origin.requestCount()).toBe(2)

  await page.getByRole('button', { name: 'Refresh' }).click()
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('2 files copied')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  expect(page.url()).not.toContain(id)
  for (const path of GOOD) {
    expect(origin.requests(path)).toHaveLength(2)
    expect(origin.requests(path)[1]?.headers.has('if-none-match')).toBe(true)
  }
})

test('Failed links of a ready archive are fixed on a narrow phone', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await using origin = await startOrigin()
  await openReady(page, holdall, origin, ['/status/404'])
  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await urlField(page, 3).fill(origin.url('/bytes/300/three.bin'))
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('3 files ·')).toBeVisible()
})

/** Opens the page of a ready archive of two good files and the given URLs, or with other settings. */
async function openReady(
  page: Page,
  holdall: Holdall,
  origin: Origin,
  failing: readonly string[],
  settings: object = {},
) {
  const client = await signInByKey(page, holdall)
  const urls = 'files' in settings ? undefined : [...GOOD, ...failing].map(origin.url)
  const response = await client.request('POST', '/jobs', {
    urls,
    zip_filename: 'reports',
    fail_on_url_error: false,
    ...settings,
  })
  const { job_id: id }: { job_id: string } = JSON.parse(await response.text())
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  return { client, id }
}

async function expectDownload(
  page: Page,
  sizes: readonly number[],
  names: readonly string[] = ['one.bin', 'two.bin', 'three.bin', 'four.bin'],
): Promise<void> {
  using dir = tempDir()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  await download.saveAs(dir.file('archive.zip'))
  await expectReadable(
    dir.file('archive.zip'),
    sizes.map((sizeBytes, index) => ({
      name: names[index] ?? '',
      sha256: expectedSha256(sizeBytes),
      sizeBytes,
    })),
  )
}

function urlField(page: Page, number: number) {
  return page.getByRole('textbox', { name: `URL of link ${number}`, exact: true })
}
