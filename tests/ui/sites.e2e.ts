import { expect, type Page } from 'playwright/test'
import { signIn } from '../support/client.ts'
import { addUser } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { SHOWN_WITHIN, untilPolled } from './page-polling.ts'
import { signInByKey } from './sign-in-steps.ts'

test('A login is saved for a site, used by an archive, and never shown again', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await page.clock.install()
  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sites' }).click()
  await expect(page.getByRole('heading', { name: 'No sites yet' })).toBeVisible()

  await page.getByRole('button', { name: 'Add site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add site' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill(origin.url('/ok/report.pdf'))
  await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('Reports')
  await dialog.getByRole('textbox', { name: 'User name' }).fill('ada')
  await dialog.getByLabel('Password').fill('secret-password')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows(page)).toHaveText([/Reports.*http:\/\/127\.0\.0\.1:\d+.*Authorization.*Never used/])

  const id = await client.createJob({ urls: [origin.url('/ok/report.pdf')] })
  await client.untilEnded(id)
  expect(origin.requests('/ok/report.pdf')[0]?.headers.get('authorization')).toBe(
    `Basic ${btoa('ada:secret-password')}`,
  )
  await untilPolled(page, () => expect(rows(page)).toHaveText([/Last used/], SHOWN_WITHIN))
  expect(await page.content()).not.toContain('secret-password')
  await openMenuItem(page, 'Reports', 'Edit')
  await expect(page.getByRole('dialog', { name: 'Edit site' })).toContainText('Saved: Authorization')
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('secret')
})

test('A site that a source has refused is marked, until its login is entered again', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const site = { origin: new URL(origin.url('/')).origin, name: 'Wiki' }
  await client.request('POST', '/sites', { ...site, headers: [{ name: 'Cookie', value: 'a=b' }] })
  const id = await client.createJob({ urls: [origin.url('/status/401')] })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await page.getByRole('link', { name: 'Saved login refused' }).click()
  await expect(rows(page)).toHaveText([/Wiki.*Login refused/])

  await openMenuItem(page, 'Wiki', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit site' })
  await dialog.getByRole('button', { name: 'Enter again' }).click()
  await dialog.getByRole('combobox', { name: 'Sign in with' }).selectOption('Cookie')
  await dialog.getByLabel('Cookie', { exact: true }).fill('Cookie: session=new')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows(page)).not.toContainText(['Login refused'])
  await client.untilEnded(await client.createJob({ urls: [origin.url('/ok/again')] }))
  expect(origin.requests('/ok/again')[0]?.headers.get('cookie')).toBe('session=new')
})

test('A change that sends a login elsewhere asks for it again, and renaming does not', async ({
  page,
  holdall,
}) => {
  const client = await signInByKey(page, holdall)
  const headers = [{ name: 'X-Key', value: 'a' }]
  await client.request('POST', '/sites', { origin: 'https://example.org', headers })
  await page.goto(`${holdall.address}/account/sites`)
  await openMenuItem(page, 'example.org', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit site' })
  await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('Renamed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows(page)).toHaveText([/Renamed.*https:\/\/example\.org.*X-Key/])

  await openMenuItem(page, 'Renamed', 'Edit')
  await dialog.getByRole('checkbox', { name: 'Also for subdomains' }).check()
  await expect(dialog).toContainText('Enter the login again')
  await dialog.getByRole('combobox', { name: 'Sign in with' }).selectOption('Other header')
  await dialog.getByRole('textbox', { name: 'Header' }).fill('X-Key')
  await dialog.getByLabel('Value').fill('b')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows(page)).toHaveText([/Renamed.*and subdomains/])
})

test('A colleague’s archive uses a shared site, of which the colleague sees only name and address', async ({
  page,
  holdall,
  otherBrowser,
}) => {
  await using origin = await startOrigin()
  await signInByKey(page, holdall)
  await page.goto(`${holdall.address}/account/sites`)
  await page.getByRole('button', { name: 'Add site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add site' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill(origin.url('/'))
  await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('Team archive')
  await dialog.getByRole('combobox', { name: 'Sign in with' }).selectOption('Token')
  await dialog.getByLabel('Token', { exact: true }).fill('shared-token')
  await dialog.getByRole('checkbox', { name: 'Share with all users' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows(page)).toHaveText([/Team archive.*Shared/])

  const colleague = await signIn(addUser(holdall, 'colleague'))
  await otherBrowser.addInitScript(`localStorage.setItem('holdall.key', '${colleague.key}')`)
  await otherBrowser.goto(`${holdall.address}/account/sites`)
  await expect(rows(otherBrowser)).toHaveText([/Team archive.*Shared with you.*http:\/\/127\.0\.0\.1:\d+/])
  await expect(otherBrowser.getByRole('button', { name: 'Actions for Team archive' })).toBeHidden()
  expect(await otherBrowser.content()).not.toContain('Authorization')
  await otherBrowser.getByRole('button', { name: 'Add site' }).click()
  await expect(otherBrowser.getByRole('checkbox', { name: 'Share with all users' })).toBeHidden()

  await colleague.untilEnded(await colleague.createJob({ urls: [origin.url('/ok/of-colleague')] }))
  expect(origin.requests('/ok/of-colleague')[0]?.headers.get('authorization')).toBe('Bearer shared-token')
})

test('What can’t be saved is refused at its field, and a site is deleted', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('400'))
  const client = await signInByKey(page, holdall)
  await client.request('POST', '/sites', {
    origin: 'https://example.org',
    headers: [{ name: 'X-Key', value: 'a' }],
  })
  await page.goto(`${holdall.address}/account/sites`)
  await page.getByRole('button', { name: 'Add site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add site' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill('ftp://example.org')
  await dialog.getByRole('textbox', { name: 'User name' }).fill('a')
  await dialog.getByLabel('Password').fill('b')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The address must be an http or https origin')
  await dialog.getByRole('button', { name: 'Add another header' }).click()
  await dialog.getByRole('textbox', { name: 'Address' }).fill('example.net')
  await dialog.getByRole('textbox', { name: 'Header' }).fill('Host')
  await dialog.getByLabel('Value').fill('c')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'The header must not be a header that Holdall sets itself.',
  )
  await dialog.getByRole('button', { name: 'Remove login 2' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows(page)).toHaveText([/example\.net/, /example\.org/])

  await openMenuItem(page, 'example.org', 'Delete')
  await page.getByRole('button', { name: 'Delete site' }).click()
  await expect(rows(page)).toHaveText([/example\.net/])
})

function rows(page: Page) {
  return page.getByRole('region', { name: 'Saved logins' }).getByRole('listitem')
}

async function openMenuItem(page: Page, site: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${site}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
