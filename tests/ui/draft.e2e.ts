import { expect } from 'playwright/test'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { createdJob, expectNames, linkBox, packButton, pasteLinks, typeLinks } from './link-steps.ts'
import { signInByLink } from './sign-in-steps.ts'

const A = 'https://a.test/report.pdf'
const B = 'https://b.test/Report.pdf'

test('Ctrl+Enter straight after a long paste packs every link, in the order of the paste', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const urls = Array.from(
    { length: 3_000 },
    (_, index) => `http://127.0.0.1:1/files/${index % 2_000}/photo.jpg`,
  )
  // At once, before the page has read its own empty text for the first time.
  await page.reload({ waitUntil: 'commit' })
  await expect(linkBox(page)).toBeVisible()
  await pasteLinks(page, `Dear all,\n${urls.join(', ')}\nBest`)
  const job = await createdJob(page, () => page.keyboard.press('Control+Enter'))
  expect(job.urls).toEqual(urls)
})

test('A draft survives a reload, another page, and is the same in a second tab', async ({
  page,
  holdall,
  context,
}) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, `${A}\tmine.pdf\n${B}`)
  await expectNames(page, ['mine.pdf', 'Report.pdf'])
  await page.reload()
  await expectNames(page, ['mine.pdf', 'Report.pdf'])
  await page.getByRole('link', { name: 'Archives', exact: true }).click()
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await expectNames(page, ['mine.pdf', 'Report.pdf'])

  const other = await context.newPage()
  await other.goto(holdall.address)
  await expectNames(other, ['mine.pdf', 'Report.pdf'])
  await other.getByRole('button', { name: 'Remove mine.pdf' }).click()
  await expectNames(page, ['Report.pdf'])
})

test('A draft of an earlier version keeps its links without a scheme', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const items = [
    { kind: 'link', url: A, filename: null },
    { kind: 'offer', url: 'https://c.test/plan.pdf', text: 'c.test/plan.pdf' },
  ]
  const saved = JSON.stringify({ items, text: null })
  await page.addInitScript((draft) => localStorage.setItem('holdall.draft', draft), saved)
  await page.reload()
  await page.getByRole('button', { name: 'Add https://' }).click()
  await expectNames(page, ['report.pdf', 'plan.pdf'])
})

test('A draft survives the end of the session', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('401'))
  await signInByLink(page, holdall)
  await pasteLinks(page, `${A}\n${B}`)
  await expectNames(page, ['report.pdf', 'Report (2).pdf'])
  const headers = { 'x-api-key': String(await page.evaluate(`localStorage.getItem('holdall.key')`)) }
  const created = await fetch(`${holdall.address}/api-keys`, { method: 'POST', headers })
  const { api_key }: { api_key: { key: string } } = JSON.parse(await created.text())
  await fetch(`${holdall.address}/sign-in`, { method: 'DELETE', headers })
  await packButton(page).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('Or paste a link or an API key').fill(api_key.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectNames(page, ['report.pdf', 'Report (2).pdf'])
})

test('Options are remembered', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await typeLinks(page, A)
  await page.getByText('Options', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Keep for' }).selectOption('604800')
  await page.getByRole('checkbox', { name: 'Skip failed links' }).uncheck()
  await page.getByRole('checkbox', { name: 'Add a list of sources and checksums' }).check()
  await page.reload()
  await expect(
    page.getByText('kept for 7 days · stops if a link fails · with checksums', { exact: true }),
  ).toBeVisible()
  const job = await createdJob(page, () => packButton(page).click())
  expect(job).toMatchObject({ expires_in: 604_800, fail_on_url_error: true, manifest: true })
})

test('Too many links: the first 5,000 are kept, or as many archives as needed are created', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const urls = Array.from({ length: 12_000 }, (_, index) => `http://127.0.0.1:1/${index}`)
  await pasteLinks(page, urls.join('\n'))
  await expect(page.getByText('7,000 too many: an archive can hold 5,000 files.')).toBeVisible()
  await page.getByRole('button', { name: 'or keep the first 5,000' }).click()
  await expect(packButton(page)).toHaveText('Pack 5,000 files')
  await page.getByRole('button', { name: 'Undo' }).click()

  const bodies: { urls: string[]; zip_filename: string }[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/jobs')) bodies.push(request.postDataJSON())
  })
  await page.getByRole('button', { name: 'Create 3 archives' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Archives' })).toBeVisible()
  expect(bodies.flatMap((body) => body.urls)).toEqual(urls)
  expect(bodies.map((body) => body.zip_filename)).toEqual([
    expect.stringMatching(/^127\.0\.0\.1 [\d-]{10} \(1 of 3\)$/),
    expect.stringMatching(/\(2 of 3\)$/),
    expect.stringMatching(/\(3 of 3\)$/),
  ])
})
