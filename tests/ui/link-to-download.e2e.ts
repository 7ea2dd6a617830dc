import { expect } from 'playwright/test'
import { expectedSha256, samples, sha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { test } from './browser-test.ts'
import { linkBox, packButton, typeLinks } from './link-steps.ts'

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
  await typeLinks(page, urls.join('\n'))
  await packButton(page).click()

  const link = page.getByRole('link', { name: 'Download' }).first()
  await expect(link).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^127\.0\.0\.1 \d{4}-\d\d-\d\d\.zip$/)
  await download.saveAs(dir.file('archive.zip'))

  await expectReadable(dir.file('archive.zip'), [
    ...samples.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), sizeBytes: bytes.length })),
    { name: 'disk.img', sha256: expectedSha256(BINARY_BYTES), sizeBytes: BINARY_BYTES },
  ])
})

test('After sign-in the address has no token, and the browser stays signed in', async ({ page, holdall }) => {
  await page.goto(await holdall.signInLink())
  await expect(linkBox(page)).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.reload()
  await expect(linkBox(page)).toBeVisible()
})
