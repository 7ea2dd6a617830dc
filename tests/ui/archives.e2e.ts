import { expect, type Page } from 'playwright/test'
import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import type { Client } from '../support/client.ts'
import type { Holdall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { chooseFromMenu } from './account-menu.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'
import { toast } from './toast.ts'

test('A list of 60 archives loads more pages by scrolling and by keyboard', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  for (let index = 1; index <= 60; index += 1) {
    await client.createJob({ urls: [origin.url('/bytes/100/a.bin')], zip_filename: `number-${index}` })
  }

  await page.goto(`${holdall.address}/archives`)
  await expect(row(page, 'number-60.zip')).toBeVisible()
  await expect(filter(page, 'All')).toHaveText(/60/)
  await expect(row(page, 'number-1.zip')).toBeHidden()
  await expect(async () => {
    await page.mouse.wheel(0, 4_000)
    await expect(row(page, 'number-1.zip')).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(rows(page)).toHaveCount(60)

  await page.reload()
  await expect(row(page, 'number-60.zip')).toBeVisible()
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(async () => {
    if (await more.isVisible()) await more.press('Enter', { timeout: 1_000 })
    await expect(rows(page)).toHaveCount(60, { timeout: 200 })
  }).toPass()
})

test('A filter shows the archives of one status and their count, or explains the status if there are none', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()

  await client.untilEnded(
    await client.createJob({ urls: [origin.url('/status/404')], zip_filename: 'broken' }),
  )
  await client.untilEnded(await client.createJob({ urls: [origin.url('/bytes/9/a')], zip_filename: 'whole' }))
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search archives' })).toBeFocused()
  await filter(page, 'Failed').click()
  await expect(page).toHaveURL(/\?status=failed$/)
  await expect(filter(page, 'Failed')).toHaveAttribute('aria-current', 'page')
  await expect(filter(page, 'Failed')).toHaveText(/1/)
  await expect(rows(page)).toHaveText([/broken\.zip/])
  await filter(page, 'Running').click()
  await expect(page.getByRole('heading', { name: 'No running archives' })).toBeVisible()
  await page.goBack()
  await expect(rows(page)).toHaveText([/broken\.zip/])

  // A retried archive disappears from the list of failed ones without a reload.
  const [broken] = await failedJobs(client)
  await client.request('POST', `/jobs/${broken}/retry`, {
    replace: [{ position: 0, url: origin.url('/bytes/9/b') }],
  })
  await expect(page.getByRole('heading', { name: 'No failed archives' })).toBeVisible()
  await expect(filter(page, 'Ready')).toHaveText(/2/)
})

test('An archive can be cancelled, continued and deleted from its row, with undo', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await createSlowJob(client, origin, 'film')
  await page.goto(`${holdall.address}/archives`)

  await expect(row(page, 'film.zip')).toContainText('Running')
  await chooseAction(page, 'film.zip', 'Cancel')
  await expect(row(page, 'film.zip')).toContainText('Cancelled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'film.zip')).toContainText('Running')
  await chooseAction(page, 'film.zip', 'Cancel')
  await expect(row(page, 'film.zip')).toContainText('Cancelled')
  await chooseAction(page, 'film.zip', 'Continue')
  await expect(row(page, 'film.zip')).toContainText('Running')

  await chooseAction(page, 'film.zip', 'Delete')
  await expect(row(page, 'film.zip')).toBeHidden()
  await expect(filter(page, 'All')).toHaveText(/0/)
  await toast(page, 'Deleted film.zip').getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'film.zip')).toBeVisible()
  await chooseAction(page, 'film.zip', 'Delete')
  await toast(page, 'Deleted film.zip').getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await client.request('GET', `/jobs/${id}`)).status).toBe(404)
})

test('Two tabs stay in sync: each shows what the other does', async ({ page, holdall, context }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const other = await context.newPage()
  await openArchives(page, holdall)
  await openArchives(other, holdall)

  await createSlowJob(client, origin, 'shared')
  for (const tab of [page, other]) await expect(row(tab, 'shared.zip')).toContainText('1 of 2 files')
  // A page behind another one is painted once per second, and a click waits until what it clicks on rests.
  await page.bringToFront()
  await chooseAction(page, 'shared.zip', 'Cancel')
  await expect(row(other, 'shared.zip')).toContainText('Cancelled')
  await other.bringToFront()
  await chooseAction(other, 'shared.zip', 'Delete')
  await other.getByRole('button', { name: 'Dismiss' }).click()
  await expect(row(page, 'shared.zip')).toBeHidden()

  await page.bringToFront()
  await chooseFromMenu(page, 'Sign out')
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('An archive is renamed and kept longer from the list, and a wrong name is refused', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('400'))
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [origin.url('/bytes/100/a.bin')], zip_filename: 'old name' })
  const before = await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives`)
  await chooseAction(page, 'old name.zip', 'Rename or keep longer')
  const dialog = page.getByRole('dialog', { name: 'Edit archive' })
  await dialog.getByRole('textbox', { name: 'File name' }).fill('a/b')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'File name' }).fill('new name')
  await dialog.getByRole('combobox', { name: 'Keep' }).selectOption('For 30 days from now')
  await dialog.getByRole('textbox', { name: 'File name' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: 'new name.zip' })).toBeVisible()
  const after = await client.getJob(id)
  const days = (Date.parse(after.expires_at ?? '') - Date.parse(before.expires_at ?? '')) / 86_400_000
  expect(Math.round(days)).toBe(29)
})

async function openArchives(page: Page, holdall: Holdall) {
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
}

/** Creates a job of two files: one finishes immediately, the other takes minutes. */
async function createSlowJob(client: Client, origin: Origin, name: string): Promise<string> {
  const slow = origin.url('/bytes/9000000/slow.bin?bytes_per_second=20000')
  const id = await client.createJob({ urls: [origin.url('/bytes/100/quick.bin'), slow], zip_filename: name })
  await client.until(id, ({ file_count }) => file_count === 1)
  return id
}

async function failedJobs(client: Client): Promise<string[]> {
  const response = await client.request('GET', '/jobs?status=failed')
  const { jobs }: { jobs: JobListItemJson[] } = JSON.parse(await response.text())
  return jobs.map(({ id }) => id)
}

async function chooseAction(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

function filter(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Filter by status' }).getByRole('link', { name })
}

function row(page: Page, name: string) {
  return rows(page).filter({ has: page.getByRole('link', { name, exact: true }) })
}

function rows(page: Page) {
  return page.getByRole('main').getByRole('listitem')
}

test('In the list, the files that a failed archive lacks are red, and none of them looks as if it were there', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = Array.from({ length: 40 }, (_, index) => origin.url(`/status/404?${index}.jpg`))
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'gone' }))
  await page.goto(`${holdall.address}/archives`)
  await expect(rows(page)).toHaveText([/gone\.zip/])
  const kinds = () =>
    rows(page)
      .locator('[data-kind]')
      .evaluateAll((cells) => [...new Set(cells.map(({ dataset }) => dataset.kind))])
  await expect.poll(kinds).toEqual(['missing'])
})
