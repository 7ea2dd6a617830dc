import { expect } from 'playwright/test'
import { expectedSha256, samples, sha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'

const BINARY_BYTES = 3_000_000

test('A new user signs in with the printed link, creates an archive and downloads it', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = [...samples.map(({ name }) => `/files/${name}`), `/bytes/${BINARY_BYTES}/disk.img`].map(
    origin.url,
  )

  await page.goto(await holdall.signInLink())
  await page.getByRole('textbox', { name: 'URLs' }).fill(urls.join('\n'))
  await page.getByRole('button', { name: 'Create archive' }).click()

  const link = page.getByRole('link', { name: 'Download' }).first()
  await expect(link).toBeVisible({ timeout: 30_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^archive-[\da-f-]{36}\.zip$/)
  await download.saveAs(dir.file('archive.zip'))

  await expectReadable(dir.file('archive.zip'), [
    ...samples.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), sizeBytes: bytes.length })),
    { name: 'disk.img', sha256: expectedSha256(BINARY_BYTES), sizeBytes: BINARY_BYTES },
  ])
})

test('A sign-in link works once, and the browser stays signed in', async ({
  page,
  holdall,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  const link = await holdall.signInLink()
  await page.goto(link)
  await expect(page.getByRole('textbox', { name: 'URLs' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'URLs' })).toBeVisible()

  const exchange = otherBrowser.waitForResponse((response) => response.request().method() === 'POST')
  await otherBrowser.goto(link)
  expect((await exchange).status()).toBe(401)
  await expect(otherBrowser.getByRole('textbox', { name: 'URLs' })).toBeHidden()
})
