import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { startSources } from '../support/sources.ts'
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
  await using sources = startSources()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [...quickUrls(origin, 200), sources.url('/song/song.mp3')] })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(fileMap(page)).toHaveAccessibleName(/1 fetching, 200 done/)

  await holdall.kill()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeVisible()
  await expect(page.getByText('200 of 201 files')).toBeVisible()
  await holdall.restart()
  await expect(page.getByText('Reconnecting to Holdall…')).toBeHidden()
  await expect(fileMap(page)).toHaveAccessibleName(/1 fetching, 200 done/)
  sources.release()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 201 files: 201 done/)
})
