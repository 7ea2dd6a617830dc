import { expect, type Page, type Request } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { linkBox } from './link-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

test.use({ keepsAddress: true })

test('When the service is killed, the page shows a banner, keeps its content, and recovers after a restart', async ({
  page,
  holdall,
  browserErrors,
}) => {
  // The browser reports the connections that are cut and refused.
  browserErrors.allow('net::ERR_')
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = [origin.url('/bytes/100/a.bin')]
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'before' }))
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('link', { name: 'before.zip' })).toBeVisible()

  await holdall.kill()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'before.zip' })).toBeVisible()
  await holdall.restart()
  await expect(banner(page)).toBeHidden()
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'after' }))
  await expect(page.getByRole('link', { name: 'after.zip' })).toBeVisible()
})

test('Typed links survive a failed request, and can be submitted when the service is back', async ({
  page,
  holdall,
  browserErrors,
}) => {
  // The browser reports the connections that are cut and refused.
  browserErrors.allow('net::ERR_')
  await using origin = await startOrigin()
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  const box = linkBox(page)
  await box.fill(origin.url('/bytes/100/a.bin'))
  // Otherwise, it would show the same alert.
  await expect(page.getByRole('heading', { name: 'Your archives will appear here' })).toBeVisible()
  await holdall.kill()
  await box.press('Control+Enter')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toHaveText('Holdall can’t be reached. Is it still running?')
  await holdall.restart()
  await expect(banner(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your archives will appear here' })).toBeVisible()
  await box.press('Control+Enter')
  await expect(page.getByRole('heading', { name: /^127\.0\.0\.1 .*\.zip$/ })).toBeVisible()
})

test('Pages open for the first time without the service', async ({ page, holdall, browserErrors }) => {
  // The browser reports the connections that are cut and refused.
  browserErrors.allow('net::ERR_')
  await signInByKey(page, holdall)
  const keysPageLoaded = page.waitForResponse((response) => response.url().includes('/assets/keys-page-'))
  const isPreloading = watchAssets(page)
  await page.goto(holdall.address)
  await keysPageLoaded
  await expect.poll(isPreloading).toBe(false)
  await holdall.kill()
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
  await expect(banner(page)).toBeVisible()
})

/** @returns whether parts of the program are on their way. The requests for those that a page preloads begin together. */
function watchAssets(page: Page): () => boolean {
  const loading = new Set<Request>()
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) loading.add(request)
  })
  page.on('requestfinished', (request) => loading.delete(request))
  return () => loading.size > 0
}

function banner(page: Page) {
  return page.getByText('Reconnecting to Holdall…')
}
