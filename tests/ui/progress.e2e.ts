import { expect } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

/** 20 MB, of which the first 5 come at once and the rest never. */
const FILM = '/bytes/20000000/film.mp4?stall_at=5000000'

test('A large file beside small ones is what page, list, ring, tab and share page wait for, and it is named', async ({
  page,
  context,
  holdall,
  otherBrowser,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({
    urls: [origin.url(FILM), ...quickUrls(origin, 24)],
    zip_filename: 'week',
  })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByText('1 file left: film.mp4, 5 of 20 MB')).toBeVisible()
  const { share_url = '' } = await client.getJob(id)
  await otherBrowser.goto(share_url)
  const list = await context.newPage()
  await list.goto(`${holdall.address}/archives`)
  const row = list.getByRole('listitem').filter({ hasText: 'week.zip' })
  const ring = row.locator('[data-state="running"] circle').last()
  // All say the same when the last of the five megabytes have arrived.
  await expect(async () => {
    const percent = Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))
    expect(percent).toBeGreaterThan(15)
    expect(percent).toBeLessThan(40)
    await expect(page.getByText(new RegExp(`^${percent}%`))).toBeVisible(SOON)
    await expect(page).toHaveTitle(new RegExp(`^${percent}% week.zip`), SOON)
    await expect(otherBrowser.getByText(`${percent}% packed`)).toBeVisible(SOON)
    await expect(otherBrowser).toHaveTitle(new RegExp(`^${percent}% week.zip`), SOON)
    await expect(row).toContainText(`${percent}%`, SOON)
    const offset = await ring.evaluate((circle) => circle.style.strokeDashoffset)
    expect(Math.floor(100 - Number(offset))).toBe(percent)
  }).toPass({ timeout: 90_000 })
})

const SOON = { timeout: 1_000 }

test('A receiver without scripts reads the same progress', async ({ holdall }) => {
  await using origin = await startOrigin()
  const client = await signInOwner(holdall)
  const id = await client.createJob({ urls: [origin.url(FILM), ...quickUrls(origin, 24)] })
  const { share_url = '' } = await client.getJob(id)
  await expect
    .poll(async () => Number(/\((\d+)%\)/.exec(await (await fetch(share_url)).text())?.[1]))
    .toBeGreaterThan(15)
  const text = await (await fetch(share_url)).text()
  expect(Number(/\((\d+)%\)/.exec(text)?.[1])).toBeLessThan(40)
})
