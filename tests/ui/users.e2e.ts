import { expect, type Page } from 'playwright/test'
import type { MeJson } from '../../server/http/users/schemas.ts'
import { signIn } from '../support/client.ts'
import { addUser, type Holdall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { SHOWN_WITHIN, stopClock, untilPolled } from './page-polling.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

test('The owner adds a user, who signs in by the copied link, and sees the user’s plan, usage and archives', async ({
  page,
  holdall,
  otherBrowser,
}) => {
  await using origin = await startOrigin()
  await page.clock.install()
  await signInByLink(page, holdall)
  await openFromMenu(page, 'Users')
  await expect(rows(page)).toHaveText([/owner.*You.*Pro plan.*0 GB-days this month.*0 archives/])

  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('Free')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign-in link for Ada' })
  const link = await copiedBy(page, () => dialog.getByRole('button', { name: 'Copy link' }).click())
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('')
  await expect(rows(page)).toHaveText([/owner/, /Ada.*Free plan/])

  await otherBrowser.goto(link)
  await expect(otherBrowser.getByRole('link', { name: 'Archives' }).first()).toBeVisible()
  const key = String(await otherBrowser.evaluate(`localStorage.getItem('holdall.key')`))
  const created = await fetch(`${holdall.address}/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ urls: [origin.url('/bytes/100/a.bin')] }),
  })
  expect(created.status).toBe(201)
  await untilPolled(page, () => expect(rows(page).last()).toContainText('1 archive', SHOWN_WITHIN))
})

test('The owner changes a plan, takes that back, and creates another sign-in link', async ({
  page,
  holdall,
}) => {
  const client = await signInByKey(page, holdall)
  const { key } = await signIn(addUser(holdall, 'Ben'))
  await page.goto(`${holdall.address}/admin/users`)
  await act(page, 'Ben', 'Move to the Free plan')
  await expect(rows(page).last()).toContainText('Free plan')
  await expect.poll(() => planOf(holdall, key)).toBe('free')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page).last()).toContainText('Pro plan')
  await expect.poll(() => planOf(holdall, key)).toBe('pro')

  await act(page, 'Ben', 'New sign-in link')
  const dialog = page.getByRole('dialog', { name: 'Sign-in link for Ben' })
  const link = (await dialog.locator('code').first().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect((await signIn(link)).key).not.toBe(client.key)
})

test('The owner removes a user, but not the owner', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  const user = await signIn(addUser(holdall, 'Cleo'))
  await page.goto(`${holdall.address}/admin/users`)
  await page.getByRole('button', { name: 'Actions for owner' }).click()
  await expect(page.getByRole('menuitem', { name: 'New sign-in link' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeHidden()
  await page.keyboard.press('Escape')

  await act(page, 'Cleo', 'Remove')
  const dialog = page.getByRole('dialog', { name: 'Remove Cleo?' })
  await expect(dialog).toContainText('This can’t be undone.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(2)
  await act(page, 'Cleo', 'Remove')
  await dialog.getByRole('button', { name: 'Remove user' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('main li :focus')).toHaveCount(1)
  expect((await user.request('GET', '/me')).status).toBe(401)
})

test('A name that is taken is refused, and a page that can’t be loaded says so', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('400'))
  browserErrors.allow('net::ERR_FAILED')
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/admin/users`)
  await page.getByRole('textbox', { name: 'Name' }).fill('owner')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByRole('alert')).toContainText('owner')
  await expect(rows(page)).toHaveCount(1)

  await page.route(`${holdall.address}/users?*`, (route) => route.abort())
  await page.clock.install()
  await page.goto(`${holdall.address}/admin/users`)
  await expect(page.getByRole('region', { name: 'All users' }).getByRole('alert')).toBeVisible()
  // The page does not reload the list by itself meanwhile.
  await stopClock(page)
  await page.unroute(`${holdall.address}/users?*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).toHaveCount(1)
})

test('Other users find no entry in the menu, and the owner’s pages show them nothing', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('403'))
  await page.goto(addUser(holdall, 'Dan'))
  await expect(page.getByRole('link', { name: 'Archives' }).first()).toBeVisible()
  for (const path of ['/admin/users', '/admin/service']) {
    await page.goto(holdall.address + path)
    await expect(page.getByRole('heading', { name: 'Only the owner can see this' })).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Users' })).toBeHidden()
  await expect(page.getByRole('menuitem', { name: 'Service' })).toBeHidden()
})

async function openFromMenu(page: Page, entry: string) {
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
  await expect(page.getByRole('heading', { level: 1, name: entry })).toBeVisible()
}

async function act(page: Page, user: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${user}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function planOf({ address }: Holdall, key: string): Promise<string> {
  const response = await fetch(`${address}/me`, { headers: { authorization: `Bearer ${key}` } })
  const { user }: MeJson = JSON.parse(await response.text())
  return user.plan
}

function rows(page: Page) {
  return page.getByRole('region', { name: 'All users' }).getByRole('listitem')
}
