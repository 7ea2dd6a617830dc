import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { atOneAddress, test } from './browser-test.ts'
import { signInByKey } from './signed-in.ts'

test.use({ holdallOptions: atOneAddress() })

test('A service that is killed under the page is waited for quietly, and all heals when it is back', async ({
  page,
  holdall,
  complaints,
}) => {
  // What the browser itself says of connections that are cut and refused.
  complaints.provoke('net::ERR_')
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
  await expect(banner(page)).toBeHidden({ timeout: 15_000 })
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'after' }))
  await expect(page.getByRole('link', { name: 'after.zip' })).toBeVisible()
})

test('What was typed outlives a service that is gone, and is sent when it is back', async ({
  page,
  holdall,
  complaints,
}) => {
  // What the browser itself says of connections that are cut and refused.
  complaints.provoke('net::ERR_')
  await using origin = await startOrigin()
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  const box = page.getByRole('textbox', { name: 'URLs' })
  await box.fill(origin.url('/bytes/100/a.bin'))
  await holdall.kill()
  await box.press('Control+Enter')
  // The recent archives may say the same, if they had not come yet.
  const refusal = page.locator('form').getByRole('alert')
  await expect(refusal).toHaveText('Holdall can’t be reached. Is it still running?')
  await holdall.restart()
  await expect(banner(page)).toBeHidden({ timeout: 15_000 })
  await expect(page.getByRole('heading', { name: 'Your archives will be here' })).toBeVisible()
  await box.press('Control+Enter')
  await expect(page.getByRole('heading', { name: /^archive-.*\.zip$/ })).toBeVisible()
})

test('A page that can’t be fetched says so, and gives way to the next', async ({
  page,
  holdall,
  complaints,
}) => {
  complaints.provoke('net::ERR_FAILED')
  complaints.provoke('Unable to preload CSS')
  await signInByKey(page, holdall)
  await page.route('**/assets/keys-page-*', (route) => route.abort())
  await page.goto(holdall.address)
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'This page can’t be shown' })).toBeVisible()
  await page.getByRole('link', { name: 'Archives', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
})

test('Pages that were never opened open without the service', async ({ page, holdall, complaints }) => {
  // What the browser itself says of connections that are cut and refused.
  complaints.provoke('net::ERR_')
  await signInByKey(page, holdall)
  const fetched = page.waitForResponse((response) => response.url().includes('/assets/keys-page-'))
  await page.goto(holdall.address)
  await fetched
  await untilAllIsFetched(page)
  await holdall.kill()
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
  await expect(banner(page)).toBeVisible()
})

/** The page has begun to fetch what it may need later, and asks for nothing more. */
async function untilAllIsFetched(page: Page) {
  let last = 0
  const isSettled = async () => {
    const before = last
    last = Number(await page.evaluate(`performance.getEntriesByType('resource').length`))
    return last === before
  }
  await expect.poll(isSettled, { intervals: [500] }).toBe(true)
}

function banner(page: Page) {
  return page.getByText('Reconnecting to Holdall…')
}
