import { expect, type Page } from 'playwright/test'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
import { pasteLinks } from './link-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

test('From a list to a repeating one in two clicks, what changed, and the latest link of a receiver', async ({
  page,
  holdall,
}) => {
  await using site = startSite({ '/a.csv': 'one', '/b.csv': 'two' })
  const client = await signInByKey(page, holdall)
  await page.goto(holdall.address)
  await pasteLinks(page, `${site.url('/a.csv')}\n${site.url('/b.csv')}`)
  await page.getByRole('button', { name: 'Repeat' }).click()
  await page.getByRole('menuitem', { name: 'Every day' }).click()

  await expect(page).toHaveURL(/\/archives\/[0-9a-f-]{36}$/)
  const first = page.url()
  const links = page.getByRole('navigation', { name: 'Schedule' })
  await expect(links.getByRole('link', { name: /^Every day at \d\d:\d\d$/ })).toBeVisible()
  await expect(links).toContainText('next: tomorrow')
  await expect(page.getByText('Ready to download')).toBeVisible()
  await expect(page.getByRole('button', { name: 'What changed 2' })).toBeVisible()

  await links.getByRole('link', { name: /^Every day/ }).click()
  await expect(runs(page)).toHaveText([/2 new/])
  site.add('/b.csv', 'two, but changed')
  await actions(page, 'Run now')
  await expect(page).toHaveURL(/\/archives\/[0-9a-f-]{36}$/)
  await expect(page).not.toHaveURL(first)
  await page.getByRole('button', { name: 'What changed 1' }).click()
  const rows = page.getByRole('table', { name: 'Files' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('b.csv')
  await expect(rows.last()).toContainText('Changed')
  await links.getByRole('link', { name: /^Earlier: today/ }).click()
  await expect(page).toHaveURL(first)
  await expect(links.getByRole('link', { name: /^Later: today/ })).toBeVisible()

  const [schedule] = JSON.parse(await (await client.request('GET', '/schedules')).text()).schedules
  await page.goto(schedule.latest_url)
  await expect(page.getByText('1 changed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Earlier archives' })).toBeVisible()
})

test('A ready archive is repeated on a day and at a time of its own', async ({ page, holdall }) => {
  await using site = startSite({ '/a.csv': 'one' })
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: [site.url('/a.csv')], zip_filename: 'prices' })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('button', { name: 'Repeat' }).click()
  await page.getByRole('menuitem', { name: 'Custom…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Repeat' })
  await dialog.getByRole('combobox', { name: 'On', exact: true }).selectOption('Monday')
  await dialog.getByLabel('At', { exact: true }).fill('06:00')
  await expect(dialog).toContainText('Every Monday at 06:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'See schedule' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'prices' })).toBeVisible()
  await expect(page.getByText(/Every Monday at 06:00, next: .* · 1 link · keeps 4 archives/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible()
})

test('A schedule is paused, resumed, edited and removed', async ({ page, holdall }) => {
  await using site = startSite({ '/a.csv': 'one' })
  const client = await signInByKey(page, holdall)
  const body = { name: 'Prices', every: 'day', time_zone: 'Europe/Berlin', urls: [site.url('/a.csv')] }
  expect((await client.request('POST', '/schedules', body)).status).toBe(201)
  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Schedules' }).click()
  await expect(schedules(page)).toHaveText([/Prices.*Every day at.*next: /])
  await actions(page, 'Pause')
  await expect(schedules(page)).toHaveText([/Paused/])
  await actions(page, 'Resume')
  await expect(schedules(page)).toHaveText([/next: /])
  await actions(page, 'Edit')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Every' }).selectOption('Cron expression')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Cron expression' }).fill('0 6 * * 1-5')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(schedules(page)).toHaveText([/By 0 6 \* \* 1-5/])
  await actions(page, 'Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('heading', { name: 'No schedules yet' })).toBeVisible()
})

async function actions(page: Page, item: string) {
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

function schedules(page: Page) {
  return page.getByRole('region', { name: 'Your schedules' }).getByRole('listitem')
}

function runs(page: Page) {
  return page.getByRole('region', { name: 'Runs' }).getByRole('listitem')
}
