import { expect, type Page } from 'playwright/test'
import { clientOf } from '../support/client.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByLink } from './sign-in-steps.ts'

test('A key is created, shown once, copied with a command that works, and revoked', async ({
  page,
  holdall,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInByLink(page, holdall)
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(rows(page)).toHaveText([/Browser.*This browser/])

  await page.getByRole('textbox', { name: 'Name' }).fill('Night shift')
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('heading', { name: 'Night shift is ready' })).toBeFocused()
  await page.getByRole('button', { name: 'Copy key' }).click()
  const key = await clipboard(page)
  expect(key).toMatch(/^hold_\w+$/)
  await page.getByRole('button', { name: 'Copy command' }).click()
  const command = Bun.spawn(['sh', '-c', await clipboard(page)], { stderr: 'ignore' })
  expect(JSON.parse(await command.stdout.text())).toMatchObject({ success: true })

  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.reload()
  await expect(rows(page)).toHaveText([/Night shift.*Last used just now.*Expires in 30 days/, /Browser/])
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Revoke Night shift' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Night shift?' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Revoke Night shift' }).click()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await expect(rows(page)).toHaveText([/Browser/])
  expect((await clientOf(() => holdall.address, key).request('GET', '/me')).status).toBe(401)
})

test('A key can be valid until the end of a chosen day', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await page.goto(`${holdall.address}/keys`)
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('After a date…')
  await page.getByLabel('Last day').fill('2099-12-31')
  const created = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create key' }).click()
  const endOfDay = await page.evaluate(`new Date('2099-12-31T23:59:59.999').toISOString()`)
  expect((await created).postDataJSON()).toEqual({ name: '', expires_at: endOfDay })
  await expect(page.getByRole('heading', { name: 'API key is ready' })).toBeVisible()
})

test('Revoking this browser’s key warns first, and then signs the browser out', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  await signInByLink(page, holdall)
  await page.goto(`${holdall.address}/keys`)
  await page.getByRole('button', { name: 'Revoke Browser' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('you will be signed out here')
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

function rows(page: Page) {
  return page.getByRole('region', { name: 'Your keys' }).getByRole('listitem')
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}
