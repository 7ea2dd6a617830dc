import { expect } from 'playwright/test'
import { test } from './browser-test.ts'
import { signInByKey } from './signed-in.ts'

// A page of plain http from another machine has no clipboard of its own: a name that is not this machine's stands for it.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP nas.test 127.0.0.1']
    await use({ ...launchOptions, args })
  },
})

test('A link is copied on a page that has no clipboard, too, and the focus stays where it was', async ({
  page,
  holdall,
  complaints,
}) => {
  complaints.provoke('asked nas.test')
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address.replace('127.0.0.1', 'nas.test')}/keys`)
  expect(await page.evaluate('isSecureContext')).toBe(false)
  await page.getByRole('textbox', { name: 'Name' }).fill('NAS')
  await page.getByRole('button', { name: 'Create key' }).click()
  const copy = page.getByRole('button', { name: 'Copy key' })
  await copy.click()
  await expect(copy).toBeFocused()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.press('ControlOrMeta+V')
  await expect(name).toHaveValue(/^hold_\w+$/)
})
