import { expect, type Page } from 'playwright/test'
import { copyAsCurlForBash } from '../support/copy-as-curl.ts'
import { LOGINS } from '../support/origin/login-routes.ts'
import { startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { startSite } from '../support/site.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { packButton } from './link-steps.ts'
import { messyEmail } from './messy-email.ts'
import { signInByLink } from './sign-in-steps.ts'
import { pasteByKeys, recordSteps } from './steps-taken.ts'

// Each of these says how many steps there are, and which.

test('A messy e-mail of 31 links becomes a ZIP of 31 files in three steps', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const urls = Array.from({ length: 31 }, (_, index) =>
    origin.url(`/bytes/${1_000 + index}/file-${index}.bin`),
  )
  await signInByLink(page, holdall)
  const steps = await recordSteps(page)
  await pasteByKeys(page, messyEmail(urls))
  await packButton(page).click()
  const entries = await downloaded(page)
  await expect.poll(() => steps).toEqual(['paste', 'Pack 31 files', 'Download'])
  expect(entries.map(({ sizeBytes }) => sizeBytes)).toEqual(urls.map((_, index) => 1_000 + index))
  // Two of the links were sent with names.
  expect(entries.slice(4, 6).map(({ name }) => name)).toEqual(['Plan A.pdf', 'plan-b.pdf'])
})

test('All PDFs of a page are three clicks from its address', async ({ page, holdall }) => {
  await using site = startSite({
    '/reports': `<title>All reports</title><a href="r/2024.pdf">Report of 2024</a>
      <a href="r/2025.pdf">Report of 2025</a> <img src="logo.png" alt="Logo"> <a href="/about">About us</a>`,
    '/r/2024.pdf': { body: '%PDF-1.7 2024', type: 'application/pdf' },
    '/r/2025.pdf': { body: '%PDF-1.7 2025', type: 'application/pdf' },
  })
  await signInByLink(page, holdall)
  await pasteByKeys(page, site.url('/reports'))
  const steps = await recordSteps(page)
  await page.getByRole('button', { name: 'Look inside' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Documents 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add 2 files' }).click()
  await expect(packButton(page)).toHaveText('Pack 2 files')
  await expect.poll(() => steps.length).toBe(3)
  await packButton(page).click()
  const names = (await downloaded(page)).map(({ name }) => name)
  expect(names).toEqual(['Report of 2024.pdf', 'Report of 2025.pdf'])
  await expect.poll(() => steps.slice(3)).toEqual(['Pack 2 files', 'Download'])
})

test('A file behind a login, copied as cURL, is packed with the login saved in four steps', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  const steps = await recordSteps(page)
  const headers = { Authorization: `Bearer ${LOGINS.token}` }
  await pasteByKeys(page, copyAsCurlForBash({ url: origin.url('/bearer/report.pdf'), headers }))
  const host = new URL(origin.url('/')).host
  await page.getByRole('radio', { name: `Save for ${host}` }).check()
  await packButton(page).click()
  const names = (await downloaded(page)).map(({ name }) => name)
  await expect.poll(() => steps).toEqual(['paste', `Save for ${host}`, 'Pack 1 file', 'Download'])
  expect(names).toEqual(['report.pdf'])
})

test('A colleague gets an invitation, and a new one after that was used, and makes a first archive, all without a terminal', async ({
  page,
  holdall,
  browser,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  await using origin = await startOrigin()
  const copyLink = () => page.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click()
  await signInByLink(page, holdall)
  const owner = await recordSteps(page)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Users' }).click()
  await page.getByRole('textbox', { name: 'Name' }).pressSequentially('Ada')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  const used = await copiedBy(page, copyLink)
  await expect.poll(() => owner).toEqual(['Account and settings', 'Users', 'Copy link'])

  // The first link is used up on another device.
  const phone = await browser.newPage()
  await phone.goto(used)
  await expect(phone.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await phone.close()
  await otherBrowser.goto(used)
  await expect(otherBrowser.getByText('Ask the person who sent you the link for a new one.')).toBeVisible()

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions for Ada' }).click()
  await page.getByRole('menuitem', { name: 'New sign-in link' }).click()
  const unused = await copiedBy(page, copyLink)
  const colleague = await recordSteps(otherBrowser)
  await otherBrowser.goto(unused)
  await expect(otherBrowser.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await pasteByKeys(otherBrowser, origin.url('/bytes/1000/first.bin'))
  await packButton(otherBrowser).click()
  const names = (await downloaded(otherBrowser)).map(({ name }) => name)
  await expect.poll(() => colleague).toEqual(['paste', 'Pack 1 file', 'Download'])
  expect(names).toEqual(['first.bin'])
})

/** The entries of the archive that the Download of the page brings, once it is ready. */
async function downloaded(page: Page) {
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).first().click(),
  ])
  return await readZip(await download.path())
}
