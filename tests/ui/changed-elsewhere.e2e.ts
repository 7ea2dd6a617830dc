import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { fileMap, quickUrls } from './archive-page-steps.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test('The page shows a retry and a deletion made elsewhere', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('404'))
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [origin.url('/status/404?x'), ...quickUrls(origin, 2)] })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('heading', { name: 'Archive failed' })).toBeVisible()
  await client.request('POST', `/jobs/${id}/retry`, { skip_failed: true })
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(fileMap(page)).toHaveAccessibleName(/^Map of 3 files: 2 done, 1 failed/)
  await client.request('DELETE', `/jobs/${id}`)
  await expect(page.getByRole('heading', { name: 'Archive not found' })).toBeVisible()
})

test('A change is shown although the first request for it failed', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('504'))
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 1), zip_filename: 'before' })
  await client.untilEnded(id)
  await page.clock.install()
  await watchEndedArchive(page, holdall.address, id)

  // As a reverse proxy answers while the service restarts.
  await page.route(`**/jobs/${id}`, (route) => route.fulfill({ status: 504 }), { times: 1 })
  await client.request('PATCH', `/jobs/${id}`, { zip_filename: 'after' })
  await expect(page.getByText('Reconnecting to Holdall…')).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(page.getByRole('heading', { name: 'after.zip' })).toBeVisible()
})

test('A late response about an earlier change does not replace a later one', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: quickUrls(origin, 1), zip_filename: 'first' })
  await client.untilEnded(id)
  await watchEndedArchive(page, holdall.address, id)

  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route(
    `**/jobs/${id}`,
    async (route) => {
      const response = await route.fetch()
      held.resolve()
      await release.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  const aborted = page.waitForEvent('requestfailed')
  await client.request('PATCH', `/jobs/${id}`, { zip_filename: 'second' })
  await held.promise
  await client.request('PATCH', `/jobs/${id}`, { zip_filename: 'third' })
  await expect(page.getByRole('heading', { name: 'third.zip' })).toBeVisible()
  expect((await aborted).url()).toMatch(new RegExp(`/jobs/${id}$`))
  release.resolve()
  await page.unrouteAll({ behavior: 'wait' })
})

/** Opens the page of an archive that is ready, and waits until it has asked for later changes. */
async function watchEndedArchive(page: Page, address: string, id: string): Promise<void> {
  const loaded = page.waitForResponse(`**/jobs/${id}`)
  await page.goto(`${address}/archives/${id}`)
  await loaded
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
}
