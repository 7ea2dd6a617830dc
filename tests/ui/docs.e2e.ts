import { expect } from 'playwright/test'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'

test('The API reference is searched by words, by keyboard, and leads back to the app', async ({
  page,
  holdall,
}) => {
  await page.goto(`${holdall.address}/docs`)
  const search = page.getByRole('searchbox', { name: 'Search this page' })
  const cancel = page.getByRole('heading', { level: 2, name: 'Cancel a job' })
  const listKeys = page.getByRole('heading', { level: 2, name: 'List API keys' })
  await expect(cancel).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('CANCELLED retry')
  await expect(cancel).toBeVisible()
  await expect(listKeys).toBeHidden()
  await expect(page.getByRole('link', { name: 'List API keys' })).toBeHidden()
  await expect(page.getByRole('status')).toHaveText(/^\d+ of \d+ sections$/)
  await search.fill('no such words')
  await expect(page.getByRole('status')).toHaveText(/^0 of/)
  await search.fill('')
  await expect(listKeys).toBeVisible()

  await page.getByRole('link', { name: 'Running on a server' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Running on a server' })).toBeVisible()
  await page.getByRole('link', { name: 'Open the app' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('The pages of the API reference are never wider than the window', async ({ page, holdall }) => {
  for (const path of [
    '/docs',
    '/docs/using-holdall',
    '/docs/running-on-a-server',
    '/docs/moving-from-eazip',
  ]) {
    await page.goto(`${holdall.address}${path}`)
    for (const width of [320, 960, 1_024, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 })
      expect({ path, width, overflowPx: await pageOverflowPx(page) }).toMatchObject({ overflowPx: 0 })
    }
  }
})
