import { expect, type Locator, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { signInByLink } from './signed-in.ts'

test('Shortcuts lead to the pages and are told by ?', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await press(page, 'g', 'a')
  await expect(heading(page, 'Archives')).toBeVisible()
  await press(page, 'g', 'k')
  await expect(heading(page, 'API keys')).toBeVisible()
  await press(page, 'g', 'u')
  await expect(heading(page, 'Account')).toBeVisible()
  await press(page, 'n')
  await expect(linkBox(page)).toBeFocused()

  await page.getByRole('link', { name: 'Archives', exact: true }).focus()
  await press(page, '?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText(/Go to the archives\s*g then a/)
  await press(page, 'g', 'k')
  await expect(sheet).toBeVisible()
  await press(page, 'Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('link', { name: 'Archives', exact: true })).toBeFocused()
  await expect(heading(page, 'New archive')).toBeVisible()
})

test('Shortcuts never fire while one types, and can be turned off', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await linkBox(page).pressSequentially('https://n.test/?ga')
  await expect(linkBox(page)).toHaveValue('https://n.test/?ga')
  await expect(page.getByRole('dialog')).toBeHidden()

  const settings = page.getByRole('button', { name: 'Account and settings' })
  const choice = page.getByRole('checkbox', { name: 'Use shortcuts of single keys' })
  await settings.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await choice.uncheck()
  await press(page, 'Escape')
  await expect(choice).toBeHidden()
  await expect(settings).toBeFocused()
  // What is turned off can be found again.
  await press(page, 'Enter')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
  await expect(choice).not.toBeChecked()
  await press(page, 'Escape')
  await expect(settings).toBeFocused()
  await page.getByRole('link', { name: 'Archives', exact: true }).focus()
  await press(page, '?', 'g', 'k')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(heading(page, 'New archive')).toBeVisible()
})

test('By the keyboard alone: from the sign-in to an archive on disk, a key and the way out', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const { key } = await signIn(await holdall.signInLink())
  await page.goto(holdall.address)
  await tabTo(page, page.getByLabel('Or paste a link or an API key'))
  await page.keyboard.type(key)
  await press(page, 'Enter')
  await expect(heading(page, 'New archive')).toBeVisible()

  await tabTo(page, linkBox(page))
  await page.keyboard.type(origin.url('/bytes/100/a.bin'))
  await tabTo(page, page.getByRole('button', { name: 'Create archive' }))
  await press(page, 'Enter')
  const link = page.getByRole('link', { name: 'Download' }).first()
  await expect(link).toBeVisible()
  await tabTo(page, link)
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)

  await press(page, 'g', 'k')
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Robot')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { name: 'Robot is ready' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Revoke Robot' }))
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('button', { name: 'Revoke key' }))
  await press(page, 'Enter')
  await expect(page.getByRole('button', { name: 'Revoke Robot' })).toBeHidden()

  await tabTo(page, page.getByRole('button', { name: 'Account and settings' }))
  await press(page, 'Enter', 'ArrowUp', 'End', 'Enter')
  await expect(heading(page, 'Sign in')).toBeVisible()
})

/** Presses Tab until the focus, which must be seen, is there. */
async function tabTo(page: Page, target: Locator) {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 20_000 })
  expect(await page.evaluate(`document.activeElement.matches(':focus-visible')`)).toBe(true)
}

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name })
}

function linkBox(page: Page) {
  return page.getByRole('textbox', { name: 'URLs' })
}
