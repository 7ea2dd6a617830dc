import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { chooseFromMenu } from './account-menu.ts'
import { announcements, recordAnnouncements } from './announcements.ts'
import { quickUrls } from './archive-page-steps.ts'
import { test } from './browser-test.ts'
import { linkBox } from './link-steps.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'
import { toast } from './toast.ts'

test('“Copied” is announced each time', async ({ page, holdall, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await createKey(page, holdall.address, await holdall.signInLink())
  await recordAnnouncements(page)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => announcements(page)).toEqual(['Copied'])
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => announcements(page)).toEqual(['Copied', 'Copied'])
})

test('If the browser refuses to copy a key, the page says so and selects the key', async ({
  page,
  holdall,
}) => {
  await page.addInitScript(`
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    document.execCommand = () => false
  `)
  await createKey(page, holdall.address, await holdall.signInLink())
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect(toast(page, 'Your browser didn’t allow copying.')).toBeVisible()
  await expect.poll(() => page.evaluate('getSelection().toString()')).toMatch(/^hold_\w+$/)
})

test('A message is announced without its buttons', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await client.untilEnded(await client.createJob({ urls: quickUrls(origin, 1), zip_filename: 'film' }))
  await page.goto(`${holdall.address}/archives`)
  await recordAnnouncements(page)
  await page.getByRole('button', { name: 'Actions for film.zip' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted film.zip')).toBeVisible()
  await expect.poll(() => announcements(page)).toEqual(['Deleted film.zip'])
})

test('Revoking two keys quickly announces the names of both, and leaves the second dialog open', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await page.goto(`${holdall.address}/keys`)
  for (const name of ['First', 'Second']) {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
  }
  await recordAnnouncements(page)
  const held = Promise.withResolvers<() => Promise<void>>()
  await page.route('**/api-keys/*', (route) => held.resolve(() => route.continue()), { times: 1 })
  await page.getByRole('button', { name: 'Revoke First' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  const respond = await held.promise
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke Second' }).click()
  await respond()
  await expect.poll(() => announcements(page)).toEqual([expect.stringContaining('First')])
  await expect(page.getByRole('dialog', { name: 'Revoke Second?' })).toBeVisible()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect.poll(() => announcements(page)).toContainEqual(expect.stringContaining('Second'))
})

test('On a start page that was just loaded, n focuses the links', async ({ page, holdall }) => {
  await signInByKey(page, holdall)
  await page.goto(holdall.address)
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(linkBox(page)).toBeFocused()
})

test('A chosen theme is there before the scripts of the page, and reaches other tabs', async ({
  page,
  holdall,
  context,
}) => {
  await signInByKey(page, holdall)
  await page.emulateMedia({ colorScheme: 'light' })
  const other = await context.newPage()
  await other.emulateMedia({ colorScheme: 'light' })
  for (const tab of [page, other]) {
    await tab.goto(holdall.address)
    await expect(tab.getByRole('heading', { name: 'New archive' })).toBeVisible()
  }
  // A page behind another one is painted once per second, and a click waits until what it clicks on rests.
  await page.bringToFront()
  const light = await background(page)
  await chooseFromMenu(page, 'Dark', 'menuitemradio')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const dark = await background(page)
  expect(dark).not.toBe(light)
  await expect.poll(() => background(other)).toBe(dark)

  const held = Promise.withResolvers<() => Promise<void>>()
  await other.route('**/assets/first-*.js', (route) => held.resolve(() => route.continue()))
  await other.reload({ waitUntil: 'commit' })
  const respond = await held.promise
  await expect.poll(() => background(other)).toBe(dark)
  await respond()
  await expect(other.getByRole('heading', { name: 'New archive' })).toBeVisible()
})

test('The progress bar keeps up with its text', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const slow = origin.url('/bytes/9000000/slow.bin?bytes_per_second=20000')
  const id = await client.createJob({ urls: [...quickUrls(origin, 3), slow] })
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByText('3 of 4 files')).toBeVisible()
  const duration = await page.evaluate(
    `getComputedStyle(document.querySelector('[role=progressbar] > *')).transitionDuration`,
  )
  const seconds = Number.parseFloat(String(duration))
  expect(seconds).toBeLessThanOrEqual(0.2)
})

async function createKey(page: Page, address: string, link: string) {
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
  await page.goto(`${address}/keys`)
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('button', { name: 'Copy key' })).toBeVisible()
}

function background(page: Page): Promise<string> {
  return page.evaluate(`document.body ? getComputedStyle(document.body).backgroundColor : ''`)
}
