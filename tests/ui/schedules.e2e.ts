import { expect, type Page } from 'playwright/test'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
import { expectNames, pasteLinks } from './link-steps.ts'
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
  // It is the first one, and nothing of it is fetched again.
  await expect(runs(page)).toHaveText([/Ready/])
  await runs(page).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(id))
  await expect(page.getByRole('navigation', { name: 'Schedule' })).toContainText('Every Monday at 06:00')
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

test('The links of a page are packed again and again, as the page has them then, from where they were chosen', async ({
  page,
  holdall,
}) => {
  const linksTo = (...names: string[]) => names.map((name) => `<a href="${name}">${name}</a>`).join(' ')
  await using site = startSite({
    '/prices': linksTo('a.csv', 'b.csv', 'c.zip'),
    '/a.csv': 'a',
    '/b.csv': 'b',
  })
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  await pasteLinks(page, site.url('/prices'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text or pattern').fill('.csv')
  await dialog.getByRole('button', { name: 'Add 2 files' }).click()
  await expectNames(page, ['a.csv', 'b.csv'])
  await page.reload()
  await page.getByRole('button', { name: 'Repeat' }).click()
  await page.getByRole('menuitem', { name: 'Links on 127.0.0.1, read anew each time…' }).click()
  await expect(dialog.getByLabel('Page with the links')).toHaveValue(site.url('/prices'))
  await expect(dialog.getByLabel('Whose address matches')).toHaveValue('*.csv*')
  await dialog.getByRole('combobox', { name: 'Every' }).selectOption('Day')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/archives\/[0-9a-f-]{36}$/)
  await expect(page.getByText('Ready to download')).toBeVisible()
  await expect(page.getByRole('button', { name: 'What changed 2' })).toBeVisible()

  site.add('/prices', linksTo('a.csv', 'b.csv', 'd.csv'))
  site.add('/d.csv', 'd')
  await page
    .getByRole('navigation', { name: 'Schedule' })
    .getByRole('link', { name: /^Every day/ })
    .click()
  await expect(page.getByText(`links of ${site.url('/prices')} that match *.csv*`)).toBeVisible()
  await actions(page, 'Run now')
  await expect(page.getByText('Ready to download')).toBeVisible()
  await page.getByRole('button', { name: 'What changed 1' }).click()
  await expect(page.getByRole('table', { name: 'Files' }).getByRole('row').last()).toContainText('d.csv')
})

test('A page is repeated without looking inside; a pattern that finds nothing is told, and can be changed', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('422')
  await using site = startSite({ '/prices': '<a href="a.csv">a</a>', '/a.csv': 'a' })
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  // A file is no page, and neither are several links.
  await pasteLinks(page, site.url('/a.csv'))
  const item = page.getByRole('menuitem', { name: 'Links on 127.0.0.1, read anew each time…' })
  await page.getByRole('button', { name: 'Repeat' }).click()
  await expect(page.getByRole('menuitem', { name: 'Custom…' })).toBeVisible()
  await expect(item).toBeHidden()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove a.csv' }).click()
  await pasteLinks(page, site.url('/prices'))
  await page.getByRole('button', { name: 'Repeat' }).click()
  await item.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Holdall reads the page again for each run')
  await dialog.getByLabel('Whose address matches').fill('*.pdf')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/account\/schedules\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
    'No link of the page is of this kind, or matches.',
  )
  await actions(page, 'Edit')
  await dialog.getByLabel('Whose address matches').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await actions(page, 'Run now')
  await expect(page.getByText('Ready to download')).toBeVisible()
})

test('The page, the headers and the copies of a schedule are shown and edited', async ({ page, holdall }) => {
  const seen: (string | null)[] = []
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push(request.headers.get('x-key'))
      if (new URL(request.url).pathname === '/b.csv') return new Response('b')
      return new Response('<a href="b.csv"><a href="c.zip">', { headers: { 'content-type': 'text/html' } })
    },
  })
  const origin = `http://127.0.0.1:${site.port}`
  const client = await signInByKey(page, holdall)
  const created = await client.request('POST', '/schedules', {
    name: 'Prices',
    every: 'day',
    time_zone: 'UTC',
    page: { url: `${origin}/old.html`, kind: 'document', match: '*.pdf' },
    headers: [{ origin, headers: [{ name: 'X-Key', value: 'old' }] }],
  })
  expect(created.status).toBe(201)
  const { schedule }: { schedule: { id: string } } = JSON.parse(await created.text())
  await page.goto(`${holdall.address}/account/schedules/${schedule.id}`)
  await expect(
    page.getByText(`documents of ${origin}/old.html that match *.pdf · sends X-Key to ${origin}`),
  ).toBeVisible()

  await actions(page, 'Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Page with the links').fill(`${origin}/new.html`)
  await dialog.getByLabel('Links to').selectOption('data files')
  await dialog.getByLabel('Whose address matches').fill('')
  await dialog.getByLabel('Files that have not changed').selectOption('Fetch again')
  await dialog.getByLabel('Headers of its own').selectOption('Send others')
  await dialog.getByLabel('Headers, one per line').fill('X-Key: new')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`data files of ${origin}/new.html · sends X-Key to ${origin}`)).toBeVisible()
  const changed = JSON.parse(await (await client.request('GET', `/schedules/${schedule.id}`)).text())
  expect(changed.schedule).toMatchObject({ reuse: 'none', page: { kind: 'data', match: null } })
  await actions(page, 'Run now')
  await expect(page.getByText('Ready to download')).toBeVisible()
  expect(seen.at(-1)).toBe('new')
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
