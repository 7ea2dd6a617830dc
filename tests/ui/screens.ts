import type { Page } from 'playwright/test'
import { archiveScreens } from './archive-screens.ts'
import { failedRequest } from './browser-errors.ts'
import { pasteLinks } from './link-steps.ts'
import type { SampleService } from './sample-service.ts'
import { type Screen, waitForRows } from './screen.ts'

/** All screens of the interface, in each of their states. */
export function screensOf(service: SampleService): readonly Screen[] {
  return [
    { name: 'sign-in', path: '/sign-in', as: 'signed-out' },
    {
      name: 'sign-in-refused',
      path: '/sign-in',
      as: 'signed-out',
      prepare: tryWrongKey,
      expectedErrors: [failedRequest('401')],
    },
    {
      name: 'sign-in-expired',
      path: '/sign-in',
      as: 'signed-out',
      prepare: useExpiredKey,
      expectedErrors: [failedRequest('401')],
    },
    { name: 'home', path: '/' },
    { name: 'home-empty', path: '/', as: 'new-user' },
    { name: 'home-with-links', path: '/', prepare: fillLinks },
    { name: 'home-selected', path: '/', prepare: selectLinks },
    { name: 'home-folders', path: '/', prepare: fillFolders },
    { name: 'home-repeat-page', path: '/', prepare: repeatPage, isOverlay: true },
    { name: 'home-with-login', path: '/', prepare: pasteLogin },
    { name: 'archives', path: '/archives' },
    { name: 'archives-failed', path: '/archives?status=failed' },
    { name: 'archives-not-found', path: '/archives?search=nothing' },
    { name: 'archives-selected', path: '/archives', prepare: selectAll, isOverlay: true },
    { name: 'palette', path: '/archives', prepare: openPalette, isOverlay: true },
    { name: 'archives-empty', path: '/archives', as: 'new-user' },
    { name: 'archives-menu', path: '/archives', prepare: openRowMenu, isOverlay: true },
    { name: 'archives-edit', path: '/archives', prepare: openEditDialog, isOverlay: true },
    { name: 'archives-deleted', path: '/archives', prepare: deleteArchive, isOverlay: true },
    {
      name: 'archives-unreachable',
      path: '/archives',
      prepare: cutConnection,
      expectedErrors: ['net::ERR_FAILED'],
    },
    ...archiveScreens(service),
    { name: 'keys', path: '/keys' },
    { name: 'keys-created', path: '/keys', prepare: createKey },
    { name: 'keys-revoke', path: '/keys', prepare: openRevokeDialog, isOverlay: true },
    { name: 'add-to-browser', path: '/add-to-browser' },
    { name: 'check', path: '/check' },
    { name: 'account', path: '/account' },
    { name: 'account-empty', path: '/account', as: 'new-user' },
    { name: 'schedules', path: '/account/schedules', prepare: waitForRows },
    { name: 'schedules-empty', path: '/account/schedules', as: 'new-user' },
    { name: 'schedules-edit', path: '/account/schedules', prepare: editSchedule, isOverlay: true },
    { name: 'schedule', path: '/account/schedules', prepare: openSchedule },
    { name: 'sites', path: '/account/sites', prepare: waitForRows },
    { name: 'sites-empty', path: '/account/sites', as: 'new-user', prepare: waitForSharedSite },
    { name: 'sites-add', path: '/account/sites', prepare: openNewSite, isOverlay: true },
    { name: 'sites-edit', path: '/account/sites', prepare: editSite, isOverlay: true },
    { name: 'notifications', path: '/account/notifications', prepare: waitForRows },
    { name: 'notifications-empty', path: '/account/notifications', as: 'new-user' },
    { name: 'notifications-created', path: '/account/notifications', prepare: createWebhook },
    { name: 'webhook', path: '/account/notifications', prepare: openWebhook },
    { name: 'webhook-disabled', path: '/account/notifications', prepare: openDisabledWebhook },
    { name: 'webhook-delete', path: '/account/notifications', prepare: openDeleteDialog, isOverlay: true },
    {
      name: 'webhook-gone',
      path: '/account/notifications/00000000-0000-4000-8000-000000000000',
      expectedErrors: [failedRequest('404')],
    },
    { name: 'users', path: '/admin/users', prepare: waitForRows },
    { name: 'users-link', path: '/admin/users', prepare: createSignInLink, isOverlay: true },
    { name: 'users-remove', path: '/admin/users', prepare: openRemoveUserDialog, isOverlay: true },
    {
      name: 'users-forbidden',
      path: '/admin/users',
      as: 'new-user',
      prepare: waitForRefusal,
      expectedErrors: [failedRequest('403')],
    },
    { name: 'service', path: '/admin/service', prepare: waitForService },
    { name: 'service-edit', path: '/admin/service', prepare: editProxy, isOverlay: true },
    { name: 'docs', path: '/docs', as: 'signed-out' },
    { name: 'docs-with-key', path: '/docs' },
    { name: 'docs-found', path: '/docs/reference/jobs', as: 'signed-out', prepare: searchDocs },
    { name: 'docs-reference', path: '/docs/reference', as: 'signed-out' },
    { name: 'docs-schedules', path: '/docs/reference/schedules', as: 'signed-out' },
    { name: 'docs-errors', path: '/docs/reference/errors', as: 'signed-out' },
    { name: 'docs-settings', path: '/docs/reference/settings', as: 'signed-out' },
    { name: 'docs-using', path: '/docs/using-holdall', as: 'signed-out' },
    { name: 'docs-server', path: '/docs/running-on-a-server', as: 'signed-out' },
    { name: 'menu', path: '/account', prepare: openMenu, isOverlay: true },
    { name: 'shortcuts', path: '/archives', prepare: openShortcuts, isOverlay: true },
    { name: 'not-found', path: '/', prepare: openUnknownPath },
  ]
}

/** Opens a screen in a page. */
export async function openScreen(page: Page, service: SampleService, screen: Screen): Promise<void> {
  if (screen.as !== 'signed-out') {
    const { key } = screen.as === 'new-user' ? service.newUser : service.client
    await page.context().addInitScript(`localStorage.setItem('holdall.key', '${key}')`)
  }
  await page.goto(service.holdall.address + screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screen.prepare?.(page)
}

async function tryWrongKey(page: Page) {
  await page.getByLabel('Or paste a link or an API key').fill('hold_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

async function useExpiredKey(page: Page) {
  await page.evaluate(`localStorage.setItem('holdall.key', 'hold_old')`)
  await page.reload()
  await page.getByRole('alert').waitFor()
}

async function pasteLogin(page: Page) {
  await pasteLinks(page, `curl 'https://example.org/report.pdf' -b 'session=secret'`)
  await page.getByRole('radio', { name: 'Save for example.org' }).waitFor()
}

async function selectLinks(page: Page) {
  await fillLinks(page)
  await page.getByRole('list', { name: 'Kinds of files' }).getByRole('button').first().click()
  await page.getByRole('checkbox', { name: 'Select all files that are shown' }).check()
}

async function fillLinks(page: Page) {
  const links = ['report.pdf', 'photos/summer.jpg', 'photos/winter.jpg', 'report.pdf', 'data/2026.csv']
  const text = [...links.map((name) => `https://example.org/${name}`), 'example.org/x', 'ftp://example.org/y']
  await pasteLinks(page, text.join('\n'))
  await page.getByText('1 line of text ignored').click()
  await page.getByText('Options', { exact: true }).click()
}

async function fillFolders(page: Page) {
  const names = [
    'Papers/report.pdf',
    'Papers/2026/summer.pdf',
    'Pictures/summer.jpg',
    'Pictures/winter.jpg',
    'data.csv',
  ]
  await pasteLinks(page, names.map((name, index) => `https://example.org/${index}\t${name}`).join('\n'))
  await page.getByRole('checkbox', { name: 'Select Papers/report.pdf' }).check()
  await page.getByRole('button', { name: 'Pictures 2 files' }).click()
}

async function repeatPage(page: Page) {
  await pasteLinks(page, 'https://example.org/reports/')
  await page.getByRole('button', { name: 'Repeat' }).click()
  await chooseItem(page, 'Links on example.org, read anew each time…')
  await page.getByRole('dialog').waitFor()
}

async function openRowMenu(page: Page) {
  await page.getByRole('button', { name: 'Actions for press-kit.zip' }).click()
  await page.getByRole('menu').waitFor()
}

async function selectAll(page: Page) {
  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('checkbox', { name: 'All', exact: true }).check()
}

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: '.zip' }).first().waitFor()
}

/** By the keyboard, because on a phone a click would first scroll the page, and the menu with it. */
async function chooseItem(page: Page, name: string) {
  await page.getByRole('menuitem', { name }).press('Enter')
}

async function openEditDialog(page: Page) {
  await page.getByRole('button', { name: 'Actions for summer-photos.zip' }).click()
  await chooseItem(page, 'Rename or keep longer')
  await page.getByRole('dialog').waitFor()
}

/**
 * Deletes an archive only in the interface: hovering keeps the toast open, and without the `pagehide` event the page
 * sends no request when it closes.
 */
async function deleteArchive(page: Page) {
  await page.evaluate(`addEventListener('pagehide', (event) => event.stopImmediatePropagation())`)
  await page.getByRole('button', { name: 'Actions for maps.zip' }).click()
  await chooseItem(page, 'Delete')
  await page.getByRole('listitem').filter({ hasText: 'Deleted maps.zip' }).hover()
}

async function cutConnection(page: Page) {
  await page.route(/^http:\/\/[^/]+\/(?:jobs|events)\b/, (route) => route.abort())
  await page.reload()
  await page.getByText('Reconnecting to Holdall…').waitFor()
}

async function createKey(page: Page) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Scanner')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Key “Scanner” created' }).waitFor()
}

async function openRevokeDialog(page: Page) {
  await page.getByRole('button', { name: 'Revoke Build server' }).click()
  await page.getByRole('dialog').waitFor()
}

async function waitForSharedSite(page: Page) {
  await page.getByText('Shared with you').waitFor()
}

async function openNewSite(page: Page) {
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.getByRole('button', { name: 'Add another header' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Header' }).fill('X-API-Key')
}

async function editSite(page: Page) {
  await page.getByRole('button', { name: 'Actions for Photo library' }).click()
  await chooseItem(page, 'Edit')
  await page.getByRole('dialog').waitFor()
}

async function editProxy(page: Page) {
  await page.getByRole('button', { name: 'Edit Proxy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Proxy', { exact: true }).fill('http://proxy.example:3128')
  await dialog.getByLabel('Code').waitFor()
}

async function editSchedule(page: Page) {
  await page.getByRole('button', { name: 'Actions for Prices' }).click()
  await chooseItem(page, 'Edit')
  await page.getByRole('dialog').waitFor()
}

async function openSchedule(page: Page) {
  await page.getByRole('link', { name: 'Prices' }).click()
  await page.getByRole('region', { name: 'Runs' }).getByRole('listitem').first().waitFor()
}

async function createWebhook(page: Page) {
  await page.getByRole('combobox', { name: 'By' }).selectOption('Webhook')
  await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Webhook added' }).waitFor()
}

async function openWebhook(page: Page) {
  await page.getByRole('link', { name: /\/warehouse$/ }).click()
  await page.getByRole('heading', { level: 1, name: /\/warehouse$/ }).waitFor()
}

async function openDisabledWebhook(page: Page) {
  await page.getByRole('link', { name: /closed/ }).click()
  await page.getByRole('alert').waitFor()
}

async function openDeleteDialog(page: Page) {
  await openWebhook(page)
  await page.getByRole('button', { name: /^Actions for / }).click()
  await chooseItem(page, 'Delete')
  await page.getByRole('dialog').waitFor()
}

async function createSignInLink(page: Page) {
  await openUserMenu(page)
  await chooseItem(page, 'New sign-in link')
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
}

async function openRemoveUserDialog(page: Page) {
  await openUserMenu(page)
  await chooseItem(page, 'Remove')
  await page.getByRole('dialog').waitFor()
}

async function openUserMenu(page: Page) {
  await page.getByRole('button', { name: 'Actions for new-user' }).click()
}

async function waitForRefusal(page: Page) {
  await page.getByRole('heading', { name: 'Only the owner can see this' }).waitFor()
}

async function waitForService(page: Page) {
  await page.getByRole('heading', { name: 'Disk' }).waitFor()
  await page.getByRole('region', { name: 'Settings' }).waitFor()
}

async function searchDocs(page: Page) {
  await page.getByRole('searchbox', { name: 'Search' }).fill('expires')
  await page.getByRole('link', { name: 'expires_in' }).first().waitFor()
}

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menu').waitFor()
}

/** The service itself answers an unknown path, so the page shows "not found" only after client-side navigation. */
async function openUnknownPath(page: Page) {
  await page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
}

async function openShortcuts(page: Page) {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}
