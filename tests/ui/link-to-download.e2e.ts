import { expect } from 'playwright/test'
import { expectedSha256, samples, sha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
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

test('After sign-in the address has no token, and the browser stays signed in', async ({ page, holdall }) => {
  await page.goto(await holdall.signInLink())
  await expect(page.getByRole('textbox', { name: 'URLs' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'URLs' })).toBeVisible()
})
