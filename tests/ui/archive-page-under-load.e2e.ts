import { expect } from 'playwright/test'
import { startGatedSource } from '../support/gated-source.ts'
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
  await using source = startGatedSource()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [...quickUrls(origin, 200), source.url('song.mp3', 2_000_000)] })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/1 fetching, 200 done/)

  await holdall.kill()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeVisible()
  await expect(page.getByText('200 of 201 files')).toBeVisible()
  await holdall.restart()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeHidden()
  await expect(fileMap(page)).toHaveAccessibleName(/1 fetching, 200 done/)
  source.release('song.mp3')
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 201 files: 201 done/)
})
