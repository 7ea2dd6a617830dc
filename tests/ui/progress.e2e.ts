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
  const bar = page.getByRole('progressbar')
  const percent = Number(await bar.getAttribute('aria-valuenow'))
  expect(percent).toBeGreaterThan(15)
  expect(percent).toBeLessThan(40)
  await expect(page.getByText(new RegExp(`^${percent}%`))).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${percent}% week.zip`))

  const { share_url = '' } = await client.getJob(id)
  await otherBrowser.goto(share_url)
  await expect(otherBrowser.getByText(`${percent}% packed`)).toBeVisible()
  await expect(otherBrowser).toHaveTitle(new RegExp(`^${percent}% week.zip`))

  await page.goto(`${holdall.address}/archives`)
  const row = page.getByRole('listitem').filter({ hasText: 'week.zip' })
  await expect(row).toContainText(`${percent}%`)
  const offset = await row
    .locator('[data-state="running"] circle')
    .last()
    .evaluate((circle) => circle.style.strokeDashoffset)
  expect(Math.floor(100 - Number(offset))).toBe(percent)
})

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
