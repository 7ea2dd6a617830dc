import { existsSync } from 'node:fs'
import { expect } from 'playwright/test'
import { openDesktopSession } from '../support/desktop-session.ts'
import { startHoldall } from '../support/executable.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test('The owner switches start at login on and off, and sees it when the system refuses', async ({
  page,
  browserErrors,
}) => {
  using session = openDesktopSession()
  await using holdall = await startHoldall(session)
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/admin/service`)
  const section = page.getByRole('region', { name: 'Start at login' })
  const startAtLogin = section.getByRole('checkbox', { name: /^Start Holdall when I log in/ })
  await expect(startAtLogin).not.toBeChecked()
  await startAtLogin.check()
  await expect.poll(() => existsSync(session.unit)).toBe(true)
  await page.reload()
  await expect(startAtLogin).toBeChecked()

  browserErrors.allow(failedRequest('503'))
  session.refuse('Failed to connect to bus')
  await startAtLogin.click()
  await expect(section.getByRole('alert')).toContainText('To see why, run holdall uninstall in a terminal.')
  await expect(startAtLogin).toBeChecked()
  session.refuse(null)
  await startAtLogin.uncheck()
  await expect(section.getByRole('alert')).toBeHidden()
  await expect.poll(() => existsSync(session.unit)).toBe(false)
})
