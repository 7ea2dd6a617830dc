import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { tempDir } from '../support/temp-dir.ts'
import { test } from './browser-test.ts'
import { createdJob, packButton, pasteLinks } from './link-steps.ts'
import { messyEmail } from './messy-email.ts'
import { signInByLink } from './sign-in-steps.ts'

test('A messy e-mail of 31 links becomes a ZIP of 31 files with two clicks', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = Array.from({ length: 31 }, (_, index) =>
    origin.url(`/bytes/${1_000 + index}/file-${index}.bin`),
  )
  await signInByLink(page, holdall)
  await pasteLinks(page, messyEmail(urls))
  // Two of the links were sent with names.
  const job = await createdJob(page, () => packButton(page).click())
  expect(job.files?.map(({ url }) => url)).toEqual(urls)
  const link = page.getByRole('link', { name: 'Download' }).first()
  await expect(link).toBeVisible({ timeout: 30_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  await download.saveAs(dir.file('archive.zip'))
  const names = (await readZip(dir.file('archive.zip'))).map(({ name }) => name)
  expect(names).toHaveLength(31)
  expect(names.slice(4, 6)).toEqual(['Plan A.pdf', 'plan-b.pdf'])
})
