import { execFileSync } from 'node:child_process'
import { expect, type Page } from 'playwright/test'
import { EXECUTABLE, type Holdall } from '../support/executable.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { signInByKey } from './sign-in-steps.ts'

test.use({ holdallOptions: { args: ['--jobs', '3'] } })

test('The owner changes limits while the service runs, and what a flag sets is said to be set by it', async ({
  page,
  holdall,
  browserErrors,
}) => {
  await openSettings(page, holdall)
  const speed = page.getByRole('region', { name: 'Speed' })
  await expect(speed).toContainText('Set by --jobs, so it can’t be changed here.')
  await page.getByRole('button', { name: 'Edit Speed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Speed' })
  await expect(dialog.getByLabel('Archives at once')).toBeDisabled()
  await dialog.getByLabel('Download at most, in MB per second').fill('2.5')
  await dialog.getByLabel('Connections per site').fill('4')
  await expect(dialog.getByLabel('Code')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(speed).toContainText(/Download at most2\.5 MB\/s.*Connections per site4/)
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText(/Last changed .* by “/)

  await page.getByRole('button', { name: 'Edit Free plan' }).click()
  const plan = page.getByRole('dialog', { name: 'Free plan' })
  await plan.getByLabel('Links per archive').fill('7')
  await plan.getByLabel('Archive size, in GB').fill('0.5')
  await plan.getByLabel('Storage per month, in GB-days').fill('')
  await plan.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Free plan' })).toContainText(
    /Links per archive7.*Archive size500 MB.*Storage per monthNo limit/,
  )
  // The page may still preload others.
  browserErrors.allow('net::ERR_')
  await holdall.restart()
  await page.goto(`${holdall.address}/admin/service`)
  await expect(speed).toContainText(/Download at most2\.5 MB\/s/)
})

test('What opens the network, or leads people elsewhere, needs the code of the machine', async ({
  page,
  holdall,
  browserErrors,
}) => {
  for (const status of ['400', '403']) browserErrors.allow(failedRequest(status))
  await openSettings(page, holdall)
  const address = page.getByRole('region', { name: 'Address' })
  await expect(address).toContainText('which only this computer can open')
  await page.getByRole('button', { name: 'Edit Address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Address' })
  await dialog.getByLabel('Base URL').fill('zip')
  await expect(dialog).toContainText('holdall settings code')
  await dialog.getByLabel('Code').fill('AAAA-AAAA')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Base URL: must be an http or https URL.')
  const port = new URL(holdall.address).port
  await dialog.getByLabel('Base URL').fill(`http://localhost:${port}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This code is not valid')
  await dialog.getByLabel('Code').fill(codeOf(holdall))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(address).toContainText(`Base URLhttp://localhost:${port}`)
  await expect(address.getByRole('status')).toHaveText('It leads to this Holdall.')

  await page.getByRole('button', { name: 'Edit Proxy' }).click()
  const proxy = page.getByRole('dialog', { name: 'Proxy' })
  await proxy.getByLabel('Proxy', { exact: true }).fill('http://proxy.example:3128')
  await proxy.getByLabel('User').fill('ann')
  await proxy.getByLabel('Password').fill('s3cret/p@ss')
  await proxy.getByLabel('Code').fill(codeOf(holdall))
  await proxy.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Proxy' })).toContainText('http://proxy.example:3128')
  await expect(page.locator('body')).not.toContainText('s3cret')
  await page.getByRole('button', { name: 'Edit Proxy' }).click()
  await expect(proxy.getByLabel('Password')).toHaveValue('')
})

test('A change that somebody else has made meanwhile is not overwritten', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('412'))
  const key = await openSettings(page, holdall)
  await page.getByRole('button', { name: 'Edit Speed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Speed' })
  await fetch(`${holdall.address}/service/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ connections: 10 }),
  })
  await dialog.getByLabel('Connections in all').fill('20')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('were changed meanwhile')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('region', { name: 'Speed' })).toContainText('Connections in all10')
})

async function openSettings(page: Page, holdall: Holdall): Promise<string> {
  const { key } = await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/admin/service`)
  await expect(page.getByRole('region', { name: 'Settings' })).toBeVisible()
  return key
}

/** What somebody at the machine enters. */
function codeOf({ dataDir }: Holdall): string {
  return execFileSync(EXECUTABLE, ['settings', 'code', '--data', dataDir]).toString()
}
