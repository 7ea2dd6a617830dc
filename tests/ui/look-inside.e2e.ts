import { expect, type Page } from 'playwright/test'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
import { createdJob, expectNames, fileRows, packButton, pasteLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByLink } from './sign-in-steps.ts'

const REPORTS = `<title>All reports</title><h1>Reports</h1>
  <a href="r/2024.pdf">Report of 2024</a> <a href="r/2025.pdf">Report of 2025</a> <a href="r/x.pdf">Download</a>
  <a href="r/y.pdf">Download</a> <img src="logo.png" alt="Logo"> <a href="/about">About us</a>`

const dialog = (page: Page) => page.getByRole('dialog')

test('The documents of a page are added with the texts of their links as names', async ({
  page,
  holdall,
}) => {
  await using site = startSite({ '/reports': REPORTS })
  await signInByLink(page, holdall)
  await pasteLinks(page, site.url('/reports'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  await dialog(page).getByRole('button', { name: 'Documents 4' }).click()
  await dialog(page).getByRole('button', { name: 'Add 4 files' }).click()
  await expectNames(page, ['Report of 2024.pdf', 'Report of 2025.pdf', 'x.pdf', 'y.pdf'])
  const job = await createdJob(page, () => packButton(page).click())
  expect(job.files).toEqual([
    { url: site.url('/r/2024.pdf'), filename: 'Report of 2024.pdf' },
    { url: site.url('/r/2025.pdf'), filename: 'Report of 2025.pdf' },
    { url: site.url('/r/x.pdf') },
    { url: site.url('/r/y.pdf') },
  ])
})

test('Links are chosen by text, by pattern and one by one; undo brings the page back', async ({
  page,
  holdall,
}) => {
  await using site = startSite({ '/reports': REPORTS })
  await signInByLink(page, holdall)
  await pasteLinks(page, site.url('/reports'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  await expect(dialog(page)).toContainText('All reports')
  const pattern = dialog(page).getByLabel('Text or pattern')
  await pattern.fill('*.png')
  await expect(dialog(page).getByRole('button', { name: 'Add 1 file' })).toBeVisible()
  await pattern.fill('report of')
  await dialog(page).getByRole('checkbox', { name: 'Report of 2024' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Add 1 file' }).click()
  await expectNames(page, ['Report of 2025.pdf'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectNames(page, ['reports'])
})

test('A listing is read with its folders; a page that is made by scripts, and one that is gone, say so', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('422')
  await using site = startSite({
    '/pub/':
      '<title>Index of /pub/</title><a href="../">../</a><a href="sub/">sub/</a><a href="a.txt">a.txt</a>',
    '/pub/sub/': '<title>Index of /pub/sub/</title><a href="../">../</a><a href="b.txt">b.txt</a>',
    '/app': '<div id="root"></div><script src="app.js"></script>',
  })
  await signInByLink(page, holdall)
  await pasteLinks(page, `${site.url('/pub/')}\n${site.url('/app')}\n${site.url('/gone')}`)
  const look = (row: number) => fileRows(page).nth(row).getByRole('button', { name: 'Look inside' })
  await look(2).click()
  await expect(dialog(page).getByRole('alert')).toContainText('HTTP 404')
  await page.keyboard.press('Escape')
  await look(1).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Scripts seem to build this page')
  await page.keyboard.press('Escape')
  await look(0).click()
  await dialog(page).getByRole('button', { name: 'Look into 1 folder' }).click()
  await dialog(page).getByRole('button', { name: 'Add 2 files' }).click()
  await expect(fileRows(page).nth(0).getByRole('button', { name: 'sub 1 file' })).toBeVisible()
  await expect(fileRows(page).nth(1).getByRole('textbox')).toHaveValue('b.txt')
})

test('The dialog fits a phone', async ({ page, holdall }) => {
  await using site = startSite({ '/reports': REPORTS })
  await page.setViewportSize({ width: 360, height: 640 })
  await signInByLink(page, holdall)
  await pasteLinks(page, site.url('/reports'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Add 6 files' })).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})
