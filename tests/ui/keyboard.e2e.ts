import { expect, type Locator, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { startOrigin } from '../support/origin.ts'
import { chooseFromMenu } from './account-menu.ts'
import { test } from './browser-test.ts'
import { expectText, linkBox, packButton } from './link-steps.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

test('Shortcuts open the pages, and ? lists them', async ({ page, holdall }) => {
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
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toContainText(/Go to Archives\s*g then a/)
  await press(page, 'g', 'k')
  await expect(dialog).toBeVisible()
  await press(page, 'Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: 'Archives', exact: true })).toBeFocused()
  await expect(heading(page, 'New archive')).toBeVisible()
})

test('Shortcuts don’t work while typing, and can be turned off', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await linkBox(page).pressSequentially('https://n.test/?ga')
  await expectText(page, 'https://n.test/?ga')
  await expect(page.getByRole('dialog')).toBeHidden()

  const settings = page.getByRole('button', { name: 'Account and settings' })
  const checkbox = page.getByRole('checkbox', { name: 'Single-key shortcuts' })
  await chooseFromMenu(page, 'Keyboard shortcuts')
  await checkbox.uncheck()
  await press(page, 'Escape')
  await expect(checkbox).toBeHidden()
  await expect(settings).toBeFocused()
  // Shortcuts that are turned off can be turned on again from the menu.
  await press(page, 'Enter')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
  await expect(checkbox).not.toBeChecked()
  await press(page, 'Escape')
  await expect(settings).toBeFocused()
  await page.getByRole('link', { name: 'Archives', exact: true }).focus()
  await press(page, '?', 'g', 'k')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(heading(page, 'New archive')).toBeVisible()
})

test('A menu opens, moves its focus and closes by keyboard, and a press on its button closes it', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const button = page.getByRole('button', { name: 'Account and settings' })
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await button.focus()
  await press(page, 'ArrowDown')
  await expect(item('Account')).toBeFocused()
  await press(page, 'ArrowUp')
  await expect(item('Sign out')).toBeFocused()
  await press(page, 'ArrowDown', 'ArrowDown')
  await expect(item('Schedules')).toBeFocused()
  await press(page, 'a')
  await expect(item('Add to browser')).toBeFocused()
  await press(page, 'End')
  await expect(item('Sign out')).toBeFocused()
  await press(page, 'Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(button).toBeFocused()

  await press(page, 'Enter')
  await expect(item('Account')).toBeFocused()
  await press(page, 'd')
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused()
  await press(page, ' ')
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await press(page, 'Tab')
  await expect(page.getByRole('menu')).toBeHidden()

  await button.click()
  await expect(page.getByRole('menu')).toBeVisible()
  await button.click()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
})

test('By keyboard alone: sign in, download an archive, create and revoke a key, sign out', async ({
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
  await tabTo(page, packButton(page))
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
  await expect(page.getByRole('heading', { name: 'Key “Robot” created' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Revoke Robot' }))
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('button', { name: 'Revoke key' }))
  await press(page, 'Enter')
  await expect(page.getByRole('button', { name: 'Revoke Robot' })).toBeHidden()

  await tabTo(page, page.getByRole('button', { name: 'Account and settings' }))
  await press(page, 'Enter')
  await expect(page.getByRole('menuitem', { name: 'Account', exact: true })).toBeFocused()
  await press(page, 'ArrowUp', 'End')
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
  await press(page, 'Enter')
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('What is typed while the palette still loads is its text, and no shortcut of the page', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const palette = page.getByRole('dialog', { name: 'Search pages, archives and actions' })
  const mayLoad = Promise.withResolvers<void>()
  await page.route('**/command-palette*.js', async (route) => {
    await mayLoad.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('no arch')
  mayLoad.resolve()
  await expect(palette.getByRole('combobox')).toHaveValue('no arch')
  await expect(palette).toContainText('Nothing found')
})

test('The palette opens again when it was closed a moment before', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await press(page, 'Control+k')
  const palette = page.getByRole('dialog', { name: 'Search pages, archives and actions' })
  await page.keyboard.type('go arch')
  await expect(palette.getByRole('option').first()).toHaveText(/^Go to Archives/)
  // Both keys before the browser reports that the dialog is closed.
  await page.evaluate(`(() => {
    const press = (target, key) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))
    press(document.activeElement, { key: 'Enter' })
    press(document.body, { key: 'k', ctrlKey: true })
  })()`)
  await expect(heading(page, 'Archives')).toBeVisible()
  await page.keyboard.type('no such thing')
  await expect(palette).toContainText('Nothing found')
})

test('The palette finds pages, archives and actions by keyboard, also while typing', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = [origin.url('/bytes/100/a.bin')]
  await client.untilEnded(await client.createJob({ urls, zip_filename: 'lighthouse' }))
  await page.goto(holdall.address)
  await linkBox(page).focus()
  await press(page, 'Control+k')
  const palette = page.getByRole('dialog', { name: 'Search pages, archives and actions' })
  const field = palette.getByRole('combobox')
  const options = palette.getByRole('option')
  await expect(field).toBeFocused()
  await page.keyboard.type('lightho')
  // Read again and again, because archives that are found later renew the list.
  const isFirstActive = async () =>
    (await field.getAttribute('aria-activedescendant')) === (await options.first().getAttribute('id'))
  await expect(options).toHaveText([/^lighthouse\.zip\s*Ready$/])
  await expect.poll(isFirstActive).toBe(true)
  await press(page, 'Enter')
  await expect(heading(page, 'lighthouse.zip')).toBeVisible()
  await expect(palette).toBeHidden()

  await press(page, 'Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('go arch')
  await expect(options.first()).toHaveText(/^Go to Archives\s*g then a$/)
  await expect.poll(isFirstActive).toBe(true)
  await press(page, 'ArrowDown', 'ArrowUp', 'Enter')
  await expect(heading(page, 'Archives')).toBeVisible()
  await press(page, 'Control+k')
  await page.keyboard.type('no such thing')
  await expect(palette).toContainText('Nothing found')
  await press(page, 'Escape')
  await expect(palette).toBeHidden()
  await press(page, 'Control+k')
  await page.keyboard.type('dark')
  await expect(options.first()).toHaveText(/dark/i)
  await expect.poll(isFirstActive).toBe(true)
  await press(page, 'Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

/** Presses Tab until the target is focused. The focus must be visible. */
async function tabTo(page: Page, target: Locator) {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0] })
  expect(await page.evaluate(`document.activeElement.matches(':focus-visible')`)).toBe(true)
}

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name })
}
