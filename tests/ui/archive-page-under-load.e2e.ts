import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { fileMap, quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test.use({ keepsAddress: true })

test('When the service is killed during a job, the page waits and follows the job again after a restart', async ({
  page,
  holdall,
  browserErrors,
}) => {
  // The browser reports the connections that are cut and refused.
  browserErrors.allow('net::ERR_')
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const slow = origin.url('/bytes/2000000/song.mp3?bytes_per_second=400000')
  const id = await client.createJob({ urls: [...quickUrls(origin, 200), slow] })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/1 fetching, 200 done/)

  await holdall.kill()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeVisible()
  await expect(page.getByText('200 of 201 files')).toBeVisible()
  await holdall.restart()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeHidden({ timeout: 15_000 })
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible({ timeout: 20_000 })
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 201 files: 201 done/)
})
