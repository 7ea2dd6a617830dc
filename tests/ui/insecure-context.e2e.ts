import { expect } from 'playwright/test'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

// The host name makes the page an insecure context, as for a service on another machine: it has no Clipboard API.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP nas.test 127.0.0.1']
    await use({ ...launchOptions, args })
  },
})

test('Without the Clipboard API, text is copied as well, and the focus stays where it was', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow('request to nas.test')
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address.replace('127.0.0.1', 'nas.test')}/keys`)
  expect(await page.evaluate('isSecureContext')).toBe(false)
  await page.getByRole('textbox', { name: 'Name' }).fill('NAS')
  await page.getByRole('button', { name: 'Create key' }).click()
  const copy = page.getByRole('button', { name: 'Copy key' })
  await copy.click()
  await expect(copy).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.press('ControlOrMeta+V')
  await expect(name).toHaveValue(/^hold_\w+$/)
})
