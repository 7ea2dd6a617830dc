import { expect, type Page } from 'playwright/test'
import type { Holdall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { files } from './share-page-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

const WRONG = ['/behind-sign-in/contract.pdf', '/page/report.pdf', '/empty/minutes.docx']

test('Files that look wrong are to be checked, and each row says why', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openReady(page, holdall, origin)
  await expect(page.getByText('3 to check')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Map of 4 files: 1 done, 3 to check.' })).toBeVisible()
  await page.getByRole('button', { name: 'Check 3' }).click()
  const rows = page.getByRole('table', { name: 'Files' }).locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('Sign-in page instead of the file')
  await expect(rows.nth(1)).toContainText('Web page instead of the file')
  await expect(rows.nth(2)).toContainText('Empty file')
  await expect(page.getByRole('link', { name: 'Open the link of report.pdf' })).toHaveAttribute(
    'href',
    origin.url('/page/report.pdf'),
  )
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('listitem').filter({ hasText: 'contracts.zip' })).toContainText('3 to check')
})

test('A file that looks wrong is replaced: the new archive fetches the new link, and copies the rest', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const id = await openReady(page, holdall, origin)
  await page.getByRole('button', { name: 'Replace contract.pdf' }).click()
  const field = page.getByRole('textbox', { name: 'URL of link 2', exact: true })
  await expect(field).toBeFocused()
  await field.fill(origin.url('/files/report.pdf'))
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('3 files copied')).toBeVisible()
  await expect(page.getByText('2 to check')).toBeVisible()
  expect(page.url()).not.toContain(id)
  expect(origin.requests('/page/report.pdf')).toHaveLength(1)
})

test('A file that looks wrong is left out of the new archive', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openReady(page, holdall, origin)
  await page.getByRole('button', { name: 'Leave out contract.pdf' }).click()
  await expect(page.getByText('1 left out')).toBeVisible()
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('3 files copied')).toBeVisible()
  await expect(page.getByText('2 to check')).toBeVisible()
})

test('On a phone, too, a file that looks wrong is left out', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await page.setViewportSize({ width: 320, height: 640 })
  await openReady(page, holdall, origin)
  for (const action of ['Open the link of', 'Replace'])
    await expect(page.getByLabel(`${action} contract.pdf`)).toBeVisible()
  await page.getByRole('button', { name: 'Leave out contract.pdf' }).click()
  await expect(page.getByText('1 left out')).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

test('Files that look wrong are fetched again as they are', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = ['/files/picture.png', '/page/report.pdf?fixed_at=2'].map(origin.url)
  const id = await client.createJob({ urls, zip_filename: 'contracts' })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Fix 1 link' }).click()
  await page.getByRole('button', { name: 'Pack again' }).click()
  await expect(page.getByText('1 file copied')).toBeVisible()
  await expect(page.getByText('to check')).toBeHidden()
  expect(page.url()).not.toContain(id)
})

test('While an archive is packed, its page counts the files to check', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = ['/page/report.pdf?delay_ms=1000', '/silent'].map(origin.url)
  const id = await client.createJob({ urls, zip_filename: 'contracts' })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('button', { name: 'Check 1' })).toBeVisible()
})

test('A receiver sees which files are pages or empty, and no link of a source', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: ['/files/picture.png', ...WRONG].map(origin.url) })
  const { share_url } = await client.untilEnded(id)
  await page.goto(share_url ?? '')
  await expect(page.getByText('3 files may not be what their names say')).toBeVisible()
  await expect(files(page).nth(0)).not.toContainText('Web page')
  await expect(files(page).nth(1)).toContainText('Web page')
  await expect(files(page).nth(3)).toContainText('Empty')
  expect(await page.content()).not.toContain(new URL(origin.url('/')).host)
})

/** Opens the page of a ready archive of one good file and three that look wrong. @returns its id */
async function openReady(page: Page, holdall: Holdall, origin: Origin): Promise<string> {
  const client = await signInByKey(page, holdall)
  const urls = ['/files/picture.png', ...WRONG].map(origin.url)
  const id = await client.createJob({ urls, zip_filename: 'contracts' })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  return id
}
