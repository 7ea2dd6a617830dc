import { expect, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { addUser, newSignInLink } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { chooseFromMenu } from './account-menu.ts'
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
  await expect(page.getByText('the link is in the terminal where Holdall was started')).toBeVisible()
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
  await expect(otherBrowser.getByText('Ask the person who sent you the link for a new one.')).toBeVisible()
})

test('A sign-in link that is opened while somebody is signed in changes nothing until it is confirmed', async ({
  page,
  holdall,
}) => {
  const keyInBrowser = async () => String(await page.evaluate(`localStorage.getItem('holdall.key')`))
  const nameOf = async (key: string) => {
    const response = await fetch(`${holdall.address}/me`, { headers: { 'x-api-key': key } })
    return response.ok ? JSON.parse(await response.text()).user.name : response.status
  }
  await signInByLink(page, holdall)
  const own = await keyInBrowser()
  const stranger = addUser(holdall, 'stranger')

  // As a web page opens it, also in a tab that shows Holdall already.
  await page.goto(stranger)
  const question = page.getByRole('heading', { name: 'You are signed in as owner' })
  await expect(question).toBeVisible()
  expect(page.url()).not.toContain('#')
  expect([await keyInBrowser(), await nameOf(own)]).toEqual([own, 'owner'])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  expect([await keyInBrowser(), await nameOf(own)]).toEqual([own, 'owner'])

  await page.goto(stranger)
  await page.getByRole('button', { name: 'Stay signed in as owner' }).click()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  expect([await keyInBrowser(), await nameOf(own)]).toEqual([own, 'owner'])

  // The link was not used up.
  await page.goto(stranger)
  await page.getByRole('button', { name: 'Use the link' }).click()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await expect.poll(async () => await nameOf(await keyInBrowser())).toBe('stranger')
  await expect.poll(async () => await nameOf(own)).toBe(401)
})

test('A sign-in link signs in at once when the key of the browser has ended', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('401'))
  await signInByLink(page, holdall)
  const own = String(await page.evaluate(`localStorage.getItem('holdall.key')`))
  await fetch(`${holdall.address}/sign-in`, { method: 'DELETE', headers: { 'x-api-key': own } })
  await page.goto('about:blank')
  await page.goto(newSignInLink(holdall))
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
})

test('No page of Holdall runs a file of an archive as its script', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('Content Security Policy')
  browserErrors.allow('csp http')
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const files = ['a.js', 'a.mjs', 'a.ts', 'a.txt'].map((filename) => ({
    url: origin.url('/bytes/10/x'),
    filename,
  }))
  const job = await client.untilEnded(
    JSON.parse(await (await client.request('POST', '/jobs', { files })).text()).job_id,
  )
  await page.goto(holdall.address)
  for (const position of files.keys()) {
    for (const type of ['text/javascript', 'module']) {
      const outcome = await page.evaluate(`new Promise((resolve) => {
        const script = document.createElement('script')
        script.type = '${type}'
        script.src = '${job.download_url}/entries/${position}'
        script.onload = () => resolve('ran')
        script.onerror = () => resolve('refused')
        document.head.append(script)
      })`)
      expect(outcome).toBe('refused')
    }
  }
})

test('Signing out revokes the key of the browser', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const key = String(await page.evaluate(`localStorage.getItem('holdall.key')`))
  const revocation = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await chooseFromMenu(page, 'Sign out')
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
  await chooseFromMenu(page, 'Sign out')
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
