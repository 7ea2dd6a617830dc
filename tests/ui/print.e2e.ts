import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { files } from './share-page-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

test('A printed archive has all of its files, and no bar', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 120), zip_filename: 'week' })
  const { share_url = '' } = await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  const rows = page.getByRole('table', { name: 'Files' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  expect(await rows.count()).toBeLessThan(120)
  await page.emulateMedia({ media: 'print' })
  await expect(rows).toHaveCount(120)
  await expect(page.getByRole('link', { name: 'Download' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => rows.count()).toBeLessThan(120)

  await page.goto(share_url)
  await expect(files(page).first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(files(page)).toHaveCount(120)
})
