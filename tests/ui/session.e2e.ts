import { expect, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { newSignInLink } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { chooseFromMenu } from './account-menu.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByLink } from './sign-in-steps.ts'
import { toast } from './toast.ts'

test('A used sign-in link says so, and signs nobody out', async ({ page, holdall, browserErrors }) => {
  browserErrors.allow(failedRequest('401'))
  const link = await holdall.signInLink()
  await signInByLink(page, holdall)
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('button', { name: 'Use the link' }).click()
  await expect(toast(page, 'This link was already used or has expired.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
})

test('Signing out within the time for undo deletes the archive, and then revokes the key', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  const key = await storedKey(page)
  const client = await signIn(newSignInLink(holdall))
  const urls = [origin.url('/bytes/100/a.bin')]
  const id = await client.createJob({ urls, zip_filename: 'doomed' })
  await client.untilEnded(id)

  await page.goto(`${holdall.address}/archives`)
  await page.getByRole('button', { name: 'Actions for doomed.zip' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted doomed.zip')).toBeVisible()
  await chooseFromMenu(page, 'Sign out')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(0)
  await expect.poll(async () => (await client.request('GET', `/jobs/${id}`)).status).toBe(404)
  await expect.poll(() => statusFor(holdall.address, key)).toBe(401)
})

test('Signing in by a link while signed in revokes the key that this browser had', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const key = await storedKey(page)
  await page.goto(newSignInLink(holdall))
  await page.getByRole('button', { name: 'Use the link' }).click()
  await expect.poll(() => storedKey(page)).not.toBe(key)
  await expect.poll(() => statusFor(holdall.address, key)).toBe(401)
})

test('The skip link moves the focus to the page, and is not taken for a token on the sign-in page', async ({
  page,
  holdall,
}) => {
  const redeemed: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') redeemed.push(request.url())
  })
  await page.goto(`${holdall.address}/sign-in`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  expect(redeemed).toEqual([])
})

test('Text that can’t be an API key is refused in words', async ({ page, holdall }) => {
  await page.goto(`${holdall.address}/sign-in`)
  await page.getByLabel('Or paste a link or an API key').fill('hold_☃ and more')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Unknown API key. It may have expired or been revoked.')
})

test('A browser that blocks its storage signs in and shows the archives', async ({ page, holdall }) => {
  await page.addInitScript(`
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: () => { throw new DOMException('blocked', 'SecurityError') } })
  `)
  await page.goto(await holdall.signInLink())
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await page.getByRole('link', { name: 'Archives', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No archives yet' })).toBeVisible()
})

function storedKey(page: Page): Promise<string> {
  return page.evaluate(`localStorage.getItem('holdall.key')`)
}

async function statusFor(address: string, key: string): Promise<number> {
  return (await fetch(`${address}/me`, { headers: { 'x-api-key': key } })).status
}
