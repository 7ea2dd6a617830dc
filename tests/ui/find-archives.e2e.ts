import { expect, type Page } from 'playwright/test'
import type { Client } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'
import { toast } from './toast.ts'

test('Archives are found by name, host and link, within a filter, and the search survives going in and back', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchive(client, [origin.url('/bytes/100/tax%20return.pdf')], 'papers')
  await createArchive(client, [origin.url('/bytes/100/a.bin')], 'Tax 2026')
  await createArchive(client, [origin.url('/bytes/100/a.bin')], 'holiday')
  const slow = await client.createJob({
    urls: [origin.url('/bytes/9000000/tax.bin?bytes_per_second=20000')],
    zip_filename: 'stopped',
  })
  await client.request('POST', `/jobs/${slow}/cancel`)
  await client.untilEnded(slow)

  await page.goto(`${holdall.address}/archives`)
  await expect(names(page)).toHaveText(['stopped.zip', 'holiday.zip', 'Tax 2026.zip', 'papers.zip'])
  await page.keyboard.press('/')
  await page.keyboard.type('TAX')
  await expect(names(page)).toHaveText(['stopped.zip', 'Tax 2026.zip', 'papers.zip'])
  await filter(page, 'Cancelled').click()
  await expect(names(page)).toHaveText(['stopped.zip'])
  await filter(page, 'Failed').click()
  await expect(page.getByRole('heading', { name: 'No archives found' })).toBeVisible()
  await expect(filter(page, 'Failed')).toHaveText(/0/)
  await filter(page, 'Ready').click()
  await expect(names(page)).toHaveText(['Tax 2026.zip', 'papers.zip'])
  await expect(page.getByRole('listitem').first()).toContainText(/Expires (?:tomorrow|in \d+ hours)/)

  await page.getByRole('link', { name: 'papers.zip' }).click()
  await expect(page.getByRole('heading', { name: 'papers.zip' })).toBeVisible()
  await page.goBack()
  await expect(names(page)).toHaveText(['Tax 2026.zip', 'papers.zip'])
  await expect(searchBox(page)).toHaveValue('TAX')
  await searchBox(page).fill(new URL(origin.url('/')).host)
  await expect(names(page)).toHaveText(['holiday.zip', 'Tax 2026.zip', 'papers.zip'])
  await searchBox(page).fill('nowhere')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(names(page)).toHaveText(['holiday.zip', 'Tax 2026.zip', 'papers.zip'])
  await expect(searchBox(page)).toHaveValue('')
})

test('Several archives are selected, kept longer, downloaded, and deleted with undo', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const ids: string[] = []
  for (const name of ['one', 'two', 'three'])
    ids.push(await createArchive(client, [origin.url('/bytes/100/a.bin')], name))
  await page.goto(`${holdall.address}/archives`)
  await page.getByRole('button', { name: 'Select' }).click()
  const bar = page.getByRole('region', { name: 'Selected archives' })
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'two.zip' }).check()
  await page.getByText('one.zip').click()
  await expect(bar).toContainText('2 archives selected')

  await bar.getByRole('button', { name: 'Keep longer' }).click()
  await page.getByRole('combobox', { name: 'Keep' }).selectOption('For 30 days from now')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, '2 archives kept for 30 days')).toBeVisible()
  for (const id of ids.slice(0, 2)) {
    const days = (Date.parse((await client.getJob(id)).expires_at ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
  }

  await page.getByRole('button', { name: 'Select' }).click()
  await bar.getByRole('checkbox', { name: 'All', exact: true }).check()
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  await bar.getByRole('button', { name: 'Download' }).click()
  await expect.poll(() => downloads).toEqual(['three.zip', 'two.zip', 'one.zip'])

  await page.getByRole('checkbox', { name: 'three.zip' }).uncheck()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(names(page)).toHaveText(['three.zip'])
  await toast(page, 'Deleted 2 archives').getByRole('button', { name: 'Undo' }).click()
  await expect(names(page)).toHaveText(['three.zip', 'two.zip', 'one.zip'])

  // By keyboard alone: down, up, select, select the next one.
  await page.keyboard.press('Escape')
  for (const key of ['j', 'j', 'k', 'x', 'j']) await page.keyboard.press(key)
  await page.keyboard.press('Space')
  await expect(bar).toContainText('2 archives selected')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await expect(page.getByRole('link', { name: 'two.zip' })).toBeFocused()
  for (const key of ['k', 'x', 'j', 'x']) await page.keyboard.press(key)
  await expect(bar).toContainText('2 archives selected')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(names(page)).toHaveText(['one.zip'])
  await page.getByRole('main').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'one.zip' })).toBeVisible()
  await page.reload()
  for (const id of ids.slice(1))
    await expect.poll(async () => (await client.request('GET', `/jobs/${id}`)).status).toBe(404)
})

async function createArchive(client: Client, urls: readonly string[], name: string): Promise<string> {
  const id = await client.createJob({ urls: [...urls], zip_filename: name })
  await client.untilEnded(id)
  return id
}

function searchBox(page: Page) {
  return page.getByRole('searchbox', { name: 'Search archives' })
}

/** The names of the listed archives. */
function names(page: Page) {
  return page.getByRole('main').getByRole('listitem').locator('a, label')
}

function filter(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Filter by status' }).getByRole('link', { name })
}

test('Shift and a click select all archives in between', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  for (const name of ['one', 'two', 'three', 'four'])
    await createArchive(client, [origin.url('/bytes/100/a.bin')], name)
  await page.goto(`${holdall.address}/archives`)
  await page.getByRole('button', { name: 'Select' }).click()
  const bar = page.getByRole('region', { name: 'Selected archives' })
  await page.getByRole('checkbox', { name: 'four.zip' }).click()
  await page.getByRole('checkbox', { name: 'two.zip' }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 archives selected')
  await expect(page.getByRole('checkbox', { name: 'three.zip' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'one.zip' })).not.toBeChecked()
  await page.getByRole('checkbox', { name: 'three.zip' }).click()
  await page.getByRole('checkbox', { name: 'four.zip' }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('1 archive selected')
})
