import { expect, type Page, test } from 'playwright/test'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { complaintsOf } from './complaints.ts'
import { signInByKey } from './signed-in.ts'

test('A service that is killed under the page is waited for quietly, and all heals when it is back', async ({
  page,
}) => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall({ args: ['--listen', `127.0.0.1:${freePort()}`] })
  const complaints = complaintsOf(page)
  const client = await signInByKey(page, holdall)
  const urls = [origin.url('/bytes/100/a.bin')]
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'before' }))
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('link', { name: 'before.zip' })).toBeVisible()
  expect(complaints).toEqual([])

  await holdall.kill()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'before.zip' })).toBeVisible()
  await holdall.restart()
  await expect(banner(page)).toBeHidden({ timeout: 15_000 })
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'after' }))
  await expect(page.getByRole('link', { name: 'after.zip' })).toBeVisible()

  // What the browser itself says of the connections that were cut and refused.
  expect(complaints.filter((text) => !text.includes('net::ERR_'))).toEqual([])
})

test('What was typed outlives a service that is gone, and is sent when it is back', async ({ page }) => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall({ args: ['--listen', `127.0.0.1:${freePort()}`] })
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  const box = page.getByRole('textbox', { name: 'URLs' })
  await box.fill(origin.url('/bytes/100/a.bin'))
  await holdall.kill()
  await box.press('Control+Enter')
  await expect(page.getByRole('alert')).toHaveText('Holdall can’t be reached. Is it still running?')
  await holdall.restart()
  await expect(banner(page)).toBeHidden({ timeout: 15_000 })
  await box.press('Control+Enter')
  await expect(page.getByRole('heading', { name: /^archive-.*\.zip$/ })).toBeVisible()
})

function banner(page: Page) {
  return page.getByText('Reconnecting to Holdall…')
}

/** A port that is free now: a service that is started again must be where the page looks for it. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}
