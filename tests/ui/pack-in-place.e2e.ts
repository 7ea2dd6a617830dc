import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { announcements, recordAnnouncements } from './announcements.ts'
import { fileMap, quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { expectText, packButton, pasteLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByLink } from './sign-in-steps.ts'

test('From a paste to the ZIP on disk, the page stays: the same map fills, and its button becomes the download', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  using dir = tempDir()
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInByLink(page, holdall)
  await using sources = startSources()
  await pasteLinks(page, [...quickUrls(origin, 29), sources.url('/song/song.mp3')].join('\n'))
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 30 files: 30 waiting/)
  await page.evaluate(REMEMBER_MAP)
  await recordAnnouncements(page)
  await packButton(page).click()

  await expect(page).toHaveURL(/\/archives\/[\w-]{36}$/)
  await expect(page.getByRole('button', { name: 'Packing…' })).toBeFocused()
  // Before the only slow file is packed, its received bytes count.
  const figures = page.getByText('29 of 30 files')
  await expect(figures).toBeVisible()
  const receivedKb = async () => {
    const [, value, unit] = /([\d.]+) (kB|MB)/.exec((await figures.textContent()) ?? '') ?? []
    return Number(value) * (unit === 'MB' ? 1_000 : 1)
  }
  const before = await receivedKb()
  await expect.poll(receivedKb).toBeGreaterThan(before + 50)
  sources.release()

  const link = page.getByRole('link', { name: 'Download' })
  await expect(link).toBeFocused()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 30 files: 30 done/)
  expect(await page.evaluate(IS_SAME_MAP)).toBe(true)
  const announcedReady = async () => (await announcements(page)).filter((text) => text.endsWith(': Ready'))
  await expect.poll(announcedReady).toHaveLength(1)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  await download.saveAs(dir.file('archive.zip'))
  expect(await readZip(dir.file('archive.zip'))).toHaveLength(30)
  expect(await announcedReady()).toHaveLength(1)
})

test('While an archive is packed, its page can be reloaded and left, and failed links are in the same list', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  await using sources = startSources()
  const failing = origin.url('/status/404')
  await pasteLinks(page, [...quickUrls(origin, 3), failing, sources.url('/song/song.mp3')].join('\n'))
  await packButton(page).click()
  const row = page.getByRole('row').filter({ hasText: 'Not found (404)' })
  await expect(row).toBeVisible()
  await expect(page.getByText('1 link failed')).toBeVisible()

  await page.reload()
  await expect(row).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'New archive' })).toBeVisible()
  await expectText(page, '')
  await pasteLinks(page, 'https://a.test/next')
  await page.goForward()
  await expect(row).toBeVisible()
  sources.release()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(page.getByText('1 left out')).toBeVisible()
  await page.goBack()
  await expect(packButton(page)).toHaveText('Pack 1 file')
})

test('At 320 px, an archive is packed and downloaded by keyboard alone', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await page.setViewportSize({ width: 320, height: 600 })
  await signInByLink(page, holdall)
  await pasteLinks(page, [...quickUrls(origin, 3), origin.url('/status/404')].join('\n'))
  await page.keyboard.press('Control+Enter')
  const link = page.getByRole('link', { name: 'Download' })
  await expect(link).toBeFocused()
  await expect(link).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('row').filter({ hasText: 'Not found (404)' })).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^127\.0\.0\.1 [\d-]{10}\.zip$/)
})

const REMEMBER_MAP = `(() => {
  globalThis.map = document.querySelector('canvas')
  globalThis.placeOf = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height].map(Math.round).join()
  }
  globalThis.mapPlace = placeOf(map)
})()`

const IS_SAME_MAP = `document.querySelector('canvas') === map && placeOf(map) === mapPlace`
