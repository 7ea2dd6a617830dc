import { expect, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { test } from './browser-test.ts'
import { refusal } from './complaints.ts'
import { signInByKey, signInByLink } from './signed-in.ts'

test('Who is not signed in is told where the link is printed, and comes back to the page after', async ({
  page,
  holdall,
  complaints,
}) => {
  complaints.provoke(refusal('401'))
  const { key } = await signIn(await holdall.signInLink())
  await page.goto(`${holdall.address}/archives?status=failed`)
  await expect(page.getByText('printed in the terminal where it was started')).toBeVisible()
  await expect(page.getByText('holdall sign-in-link')).toBeVisible()

  await keyBox(page).fill('hold_notAKey')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Holdall doesn’t know this key. It may have been revoked, or have expired.',
  )
  await keyBox(page).fill(`  ${key}\n`)
  await keyBox(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'Nothing has failed' })).toBeVisible()
})

test('A link may be pasted, and works once', async ({ page, holdall, stranger, complaints }) => {
  complaints.provoke(refusal('401'))
  const link = await holdall.signInLink()
  await page.goto(`${holdall.address}/sign-in`)
  await keyBox(page).fill(link)
  await keyBox(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()

  await stranger.goto(link)
  await expect(stranger.getByRole('alert')).toHaveText(
    'This link has been used or is too old. A link works once, for 30 minutes.',
  )
})

test('Signing out forgets the key, and what was typed', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const key = String(await page.evaluate(`localStorage.getItem('holdall.key')`))
  await page.getByRole('textbox', { name: 'URLs' }).fill('https://secret.test/')
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(
    await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
  ).not.toContain('hold_')
  await expect(page.getByRole('alert')).toBeHidden()
  await keyBox(page).fill(key)
  await keyBox(page).press('Enter')
  await expect(page.getByRole('textbox', { name: 'URLs' })).toHaveValue('')
})

test('A key that ends in the middle of use leads to sign-in, and says why', async ({
  page,
  holdall,
  complaints,
}) => {
  complaints.provoke(refusal('401'))
  const client = await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/archives`)
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
  const { api_keys }: { api_keys: { id: string }[] } = JSON.parse(
    await (await client.request('GET', '/api-keys')).text(),
  )
  for (const { id } of api_keys) await client.request('DELETE', `/api-keys/${id}`)

  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(
    'You were signed out: the key of this browser has expired or been revoked.',
  )
})

function keyBox(page: Page) {
  return page.getByLabel('Or paste a link or an API key')
}
