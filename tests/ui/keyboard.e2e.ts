import { expect, type Page, test } from 'playwright/test'
import { startHoldall } from '../support/executable.ts'
import { complaintsOf } from './complaints.ts'
import { signInByLink } from './signed-in.ts'

test('Shortcuts lead to the pages and are told by ?', async ({ page }) => {
  await using holdall = await startHoldall()
  const complaints = complaintsOf(page)
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
  expect(complaints).toEqual([])
})

test('Shortcuts never fire while one types, and can be turned off', async ({ page }) => {
  await using holdall = await startHoldall()
  const complaints = complaintsOf(page)
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
  expect(complaints).toEqual([])
})

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name })
}

function linkBox(page: Page) {
  return page.getByRole('textbox', { name: 'URLs' })
}
