import { expect, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { expectText, linkBox, typeLinks } from './link-steps.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

test('A signed-out user learns where to find the sign-in link, and returns to the requested page after signing in', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  const { key } = await signIn(await holdall.signInLink())
  await page.goto(`${holdall.address}/archives?status=failed`)
  await expect(page.getByText('printed in the terminal where it was started')).toBeVisible()
  await expect(page.getByText('run the command that it printed there')).toBeVisible()

  await keyBox(page).fill('hold_notAKey')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Unknown API key. It may have expired or been revoked.')
  await keyBox(page).fill(`  ${key}\n`)
  await keyBox(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'No failed archives' })).toBeVisible()
})

test('A sign-in link can be pasted, and works once', async ({
  page,
  holdall,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  const link = await holdall.signInLink()
  await page.goto(`${holdall.address}/sign-in`)
  await keyBox(page).fill(link)
  await keyBox(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()

  const exchange = otherBrowser.waitForResponse((response) => response.request().method() === 'POST')
  await otherBrowser.goto(link)
  expect((await exchange).status()).toBe(401)
  await expect(linkBox(otherBrowser)).toBeHidden()
  await expect(otherBrowser.getByRole('alert')).toHaveText(
    'This link was already used or has expired. Links work once, within 30 minutes.',
  )
})

test('Signing out revokes the key of the browser', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const key = String(await page.evaluate(`localStorage.getItem('holdall.key')`))
  const revocation = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await revocation).status()).toBe(200)
  expect((await fetch(`${holdall.address}/me`, { headers: { 'x-api-key': key } })).status).toBe(401)
})

test('Signing out clears a pasted key, which keeps working, and the typed links', async ({
  page,
  holdall,
}) => {
  const { key } = await signInByKey(page, holdall)
  await page.goto(holdall.address)
  await typeLinks(page, 'https://secret.test/')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(
    await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
  ).not.toContain('hold_')
  await expect(page.getByRole('alert')).toBeHidden()
  await keyBox(page).fill(key)
  await keyBox(page).press('Enter')
  await expectText(page, '')
})

test('When the key is revoked during use, the sign-in page opens and says why', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  const client = await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
  const { api_keys }: { api_keys: { id: string }[] } = JSON.parse(
    await (await client.request('GET', '/api-keys')).text(),
  )
  for (const { id } of api_keys) await client.request('DELETE', `/api-keys/${id}`)

  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(
    'You were signed out: this browser’s key expired or was revoked.',
  )
})

function keyBox(page: Page) {
  return page.getByLabel('Or paste a link or an API key')
}
