import { expect, type Page } from 'playwright/test'
import { clientOf } from '../support/client.ts'
import { newSignInLink } from '../support/executable.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { signInByLink } from './sign-in-steps.ts'

test('A key is created, shown once, copied with a command that works, and revoked', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible()
  await expect(browsers(page)).toHaveText([
    /Chrome on Linux.*This browser.*Last used just now.*Signed in today/,
  ])

  await page.getByRole('textbox', { name: 'Name' }).fill('Night shift')
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('heading', { name: 'Key “Night shift” created' })).toBeFocused()
  const key = await copiedBy(page, () => page.getByRole('button', { name: 'Copy key' }).click())
  expect(key).toMatch(/^hold_\w+$/)
  const copied = await copiedBy(page, () => page.getByRole('button', { name: 'Copy command' }).click())
  const command = Bun.spawn(['sh', '-c', copied], { stderr: 'ignore' })
  expect(JSON.parse(await command.stdout.text())).toMatchObject({ success: true })

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.reload()
  await expect(rows(page)).toHaveText([/Night shift.*Last used just now.*Expires in 30 days.*Created today/])
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Revoke Night shift' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Night shift?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Revoke Night shift' }).click()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await expect(rows(page)).toHaveCount(0)
  await expect(browsers(page)).toHaveCount(1)
  expect((await clientOf(() => holdall.address, key).request('GET', '/me')).status).toBe(401)
})

test('A key can be valid until the end of a chosen day', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await page.goto(`${holdall.address}/keys`)
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('On a date…')
  await page.getByLabel('Valid through').fill('2099-12-31')
  const created = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create key' }).click()
  const endOfDay = await page.evaluate(`new Date('2099-12-31T23:59:59.999').toISOString()`)
  expect((await created).postDataJSON()).toEqual({ name: '', expires_at: endOfDay })
  await expect(page.getByRole('heading', { name: 'Key “API key” created' })).toBeVisible()
})

test('Signing this browser out in the list warns first', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('401'))
  await signInByLink(page, holdall)
  await page.goto(`${holdall.address}/keys`)
  await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('you will be signed out here')
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('Another browser is signed out in the list', async ({ page, holdall, otherBrowser, browserErrors }) => {
  browserErrors.allow(failedRequest('401'))
  await signInByLink(page, holdall)
  await otherBrowser.goto(newSignInLink(holdall))
  await expect(otherBrowser.getByRole('link', { name: 'Archives' }).first()).toBeVisible()
  await page.goto(`${holdall.address}/keys`)
  await expect(browsers(page)).toHaveCount(2)
  const other = browsers(page).filter({ hasNotText: 'This browser' })
  await other.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out this browser?' })
  await expect(dialog).toContainText('needs a new sign-in link')
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await expect(browsers(page)).toHaveText([/This browser/])
  await otherBrowser.goto(`${holdall.address}/archives`)
  await expect(otherBrowser.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

function rows(page: Page) {
  return page.getByRole('region', { name: 'Your keys' }).getByRole('listitem')
}

function browsers(page: Page) {
  return page.getByRole('region', { name: 'Signed-in browsers' }).getByRole('listitem')
}
