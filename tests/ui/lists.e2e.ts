import { expect, type Page, type Route } from 'playwright/test'
import type { Client } from '../support/client.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

test('A filter that is still loading shows no archives of the previous filter, and no way to load more of them', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchives(client, origin, 30)
  await page.goto(`${holdall.address}/archives`)
  await expect(rows(page)).toHaveCount(25)

  const held = Promise.withResolvers<Route>()
  await page.route('**/jobs?*status=failed*', (route) => held.resolve(route))
  await filter(page, 'Failed').click()
  const route = await held.promise
  await expect(rows(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
  await route.continue()
  await expect(page.getByRole('heading', { name: 'No failed archives' })).toBeVisible()
  await filter(page, 'All').click()
  await expect(rows(page)).toHaveCount(25)
})

test('When the five newest archives are deleted, the start page shows the next ones', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchives(client, origin, 7)
  await page.goto(holdall.address)
  await expect(rows(page)).toHaveCount(5)
  for (const number of [7, 6, 5, 4, 3]) await deleteArchive(page, `number-${number}.zip`)
  await expect(rows(page)).toHaveText([/number-2\.zip/, /number-1\.zip/])
})

test('After a deletion the focus is on the row that took its place, and on the page after the last one', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchives(client, origin, 3)
  await page.goto(`${holdall.address}/archives`)
  await deleteArchive(page, 'number-2.zip')
  await expect(page.getByRole('link', { name: 'number-1.zip', exact: true })).toBeFocused()
  await deleteArchive(page, 'number-1.zip')
  await expect(page.getByRole('link', { name: 'number-3.zip', exact: true })).toBeFocused()
  await deleteArchive(page, 'number-3.zip')
  await expect(page.getByRole('main')).toBeFocused()
})

test('After a key is revoked the focus is on the next key', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await page.getByRole('link', { name: 'Keys' }).click()
  for (const name of ['First', 'Second']) {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
  }
  await page.getByRole('button', { name: 'Revoke Second' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('button', { name: 'Revoke Second' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Revoke First' })).toBeFocused()
})

test('The list is where it was, with all its rows, when the user comes back from an archive', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await createArchives(client, origin, 40)
  await page.goto(`${holdall.address}/archives`)
  const link = page.getByRole('link', { name: 'number-5.zip', exact: true })
  await expect(async () => {
    await page.mouse.wheel(0, 4_000)
    await expect(link).toBeVisible({ timeout: 200 })
  }).toPass()
  // This waits until the list has stopped, and the click does not scroll it.
  await link.hover()
  const top = (await link.boundingBox())?.y
  await link.click()
  await expect(page.getByRole('heading', { name: 'number-5.zip' })).toBeVisible()
  await page.goBack()
  await expect(rows(page)).toHaveCount(40)
  await expect.poll(async () => (await link.boundingBox())?.y).toBe(top)
})

test('New archives don’t move the filters under a thumb that has scrolled them', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await page.setViewportSize({ width: 240, height: 600 })
  await page.goto(`${holdall.address}/archives`)
  await expect(filter(page, 'All')).toHaveText(/0/)
  await filters(page).evaluate((nav) => nav.scrollTo({ left: 80 }))
  await createArchives(client, origin, 1)
  await expect(filter(page, 'All')).toHaveText(/1/)
  expect(await filters(page).evaluate((nav) => nav.scrollLeft)).toBe(80)
})

async function createArchives(client: Client, origin: Origin, count: number) {
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const urls = [origin.url('/bytes/100/a.bin')]
    ids.push(await client.createJob({ urls, zip_filename: `number-${number}` }))
  }
  for (const id of ids) await client.untilEnded(id)
}

async function deleteArchive(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(rows(page).filter({ hasText: name })).toHaveCount(0)
}

function rows(page: Page) {
  return page.getByRole('main').getByRole('listitem')
}

function filters(page: Page) {
  return page.getByRole('navigation', { name: 'Filter by status' })
}

function filter(page: Page, name: string) {
  return filters(page).getByRole('link', { name })
}
