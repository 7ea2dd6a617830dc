import { expect, type Locator, type Page } from 'playwright/test'
import { addUser } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { startSources } from '../support/sources.ts'
import { fileMap, quickUrls } from './archive-page-steps.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { expectNames, packButton, typeLinks } from './link-steps.ts'
import { followPageClock } from './service-clock.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'
import { toast } from './toast.ts'

test('The page of a running archive updates files, speed and map until the archive is ready', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await using sources = startSources()
  const urls = [...quickUrls(origin, 10), sources.url('/song/song.mp3')]
  const id = await client.createJob({ urls, zip_filename: 'songs' })

  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 11 files: 1 fetching, 10 done/)
  await expect(page.getByText('10 of 11 files')).toBeVisible()
  await expect(page.getByText(/ kB\/s$/)).toBeVisible()
  await expect(rows(page).filter({ hasText: 'song.mp3' })).toContainText('Fetching')
  sources.release()

  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 11 files: 11 done/)
  await expect(rows(page).filter({ hasText: 'song.mp3' })).toContainText('9 MB')
  await expect(page.getByText(/Expires in 23 hours 5[89] minutes/)).toBeVisible()
})

test('Reloading the page during a job shows the current progress and follows the job', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await using sources = startSources()
  const urls = [...quickUrls(origin, 300), sources.url('/song/song.mp3')]
  const id = await client.createJob({ urls })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/300 done/)
  await page.reload()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 301 files: 1 fetching, 300 done/)
  sources.release()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
})

test('Until the code of the page has arrived, a placeholder with a heading is shown', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 3), zip_filename: 'songs' })
  await client.untilEnded(id)
  const code = Promise.withResolvers<void>()
  await page.route(/\/archive-view-[^/]*\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  const entries = page.waitForResponse(/\/entries\b/)
  await page.goto(`${holdall.address}/archives/${id}`)
  await entries
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Archive')
  code.resolve()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('songs.zip')
})

test('Beside a map that is higher, the table goes down to the end of the card, without a strip below it', async ({
  page,
  holdall,
}) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 500) })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/500 done/)
  const bottomOf = async (element: Locator) => {
    const box = await element.boundingBox()
    return box === null ? 0 : box.y + box.height
  }
  const table = page.getByRole('region', { name: 'Table of files' })
  await expect.poll(async () => (await bottomOf(table)) - (await bottomOf(fileMap(page)))).toBeGreaterThan(0)
})

test('A click on a map cell focuses the row of the file that its tooltip names', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 500) })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/500 done/)

  // A cell at the bottom of the map, whose row is far from the rows that the table shows first.
  const { height } = (await fileMap(page).boundingBox()) ?? { height: 0 }
  const position = { x: 5, y: height - 5 }
  await fileMap(page).hover({ position })
  const title = page.getByText(/^file-\d+\.bin$/).first()
  await expect(title).toHaveText(/file-[34]\d\d\.bin/)
  const name = await title.textContent()
  await fileMap(page).click({ position })
  await expect(page.locator('tr:focus')).toContainText(name ?? 'a name')
  await expect(page.locator('tr:focus')).toBeInViewport()

  // Screen readers learn the number of rows from this: 500 files and the header.
  await expect(page.getByRole('table', { name: 'Files' })).toHaveAttribute('aria-rowcount', '501')
})

test('The files can be filtered by status and sorted by size, and all errors can be copied', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const missing = [origin.url('/status/404'), origin.url('/status/410')]
  const urls = [...quickUrls(origin, 3), ...missing]
  const id = await client.createJob({ urls, fail_on_url_error: false })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)

  await expect(rows(page)).toHaveCount(5)
  await page.keyboard.press('/')
  await expect(page.getByRole('button', { name: 'All 5' })).toBeFocused()
  await page.getByRole('button', { name: 'Failed 2' }).click()
  await expect(rows(page)).toHaveText([/4.*Not found \(404\)/, /5.*No longer available \(410\)/])
  // Selecting a file on the map that the filter hides resets the filter.
  await fileMap(page).click({ position: { x: 5, y: 5 } })
  await expect(page.getByRole('button', { name: 'All 5' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('tr:focus')).toContainText('file-0.bin')
  await page.getByRole('button', { name: 'Size' }).click()
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toContainText('file-2.bin')
  await page.getByRole('button', { name: 'Status' }).click()
  await expect(rows(page).first()).toContainText('Not found (404)')

  const copied = await copiedBy(page, () => page.getByRole('button', { name: 'Copy all errors' }).click())
  expect(copied).toBe(`${missing[0]}\tHTTP 404\n${missing[1]}\tHTTP 410`)
})

test('The copied command downloads the archive, and so does the shortcut', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 2), zip_filename: "it's here" })
  const { zip_size } = await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Actions for it' }).click()
  const command = await copiedBy(page, () =>
    page.getByRole('menuitem', { name: 'Copy curl command' }).click(),
  )
  await expect(toast(page, 'Command copied')).toBeVisible()
  const child = Bun.spawn(['sh', '-c', command], {
    cwd: holdall.dataDir,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  expect(await child.exited).toBe(0)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')])
  expect(download.suggestedFilename()).toBe("it's here.zip")
  expect(Bun.file(`${holdall.dataDir}/it's here.zip`).size).toBe(zip_size)
})

test('Another user’s archive is not found', async ({ page, holdall, otherBrowser, browserErrors }) => {
  browserErrors.allow(failedRequest('404'))
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 1), zip_filename: 'mine-alone' })
  await client.untilEnded(id)

  await otherBrowser.goto(addUser(holdall, 'other-user'))
  await expect(otherBrowser.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await otherBrowser.goto(`${holdall.address}/archives/${id}`)
  await expect(otherBrowser.getByRole('heading', { name: 'Archive not found' })).toBeVisible()
  await expect(otherBrowser.getByText('mine-alone')).toBeHidden()
  await otherBrowser.getByRole('link', { name: 'See your archives' }).click()
  await expect(otherBrowser.getByRole('heading', { name: 'Archives', exact: true })).toBeVisible()
})

test('When an archive expires, its page says so and offers to reuse its links', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  await followPageClock(page)
  await page.clock.install()
  await typeLinks(page, `${origin.url('/bytes/1000/a.bin')}, named.bin`)
  await packButton(page).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await page.clock.fastForward('24:00:01')
  await expect(page.getByRole('heading', { name: 'Archive expired' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' })).toBeHidden()

  await page.getByRole('button', { name: 'Reuse these links' }).click()
  await expectNames(page, ['named.bin'])
})

/** The rows in view, without the header. */
function rows(page: Page) {
  return page
    .getByRole('table', { name: 'Files' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}
