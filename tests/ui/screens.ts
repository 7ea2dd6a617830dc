import type { Page } from 'playwright/test'
import { buildZip } from '../support/built-zip.ts'
import { archiveScreens } from './archive-screens.ts'
import { failedRequest } from './browser-errors.ts'
import type { Copy } from './copy.ts'
import { newArchiveScreens } from './new-archive-screens.ts'
import type { SampleService } from './sample-service.ts'
import { type Screen, waitForRows } from './screen.ts'
import { KEEP_MESSAGES } from './toast.ts'

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
    { name: 'sign-in-question', path: '/', prepare: openSignInLink },
    ...newArchiveScreens(service),
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
    { name: 'check-damaged', path: '/check', prepare: checkDamaged },
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
    { name: 'service-plan', path: '/admin/service', prepare: editPlan, isOverlay: true },
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

/** Opens a screen in a page, as if no other had been open before. @param copy in the language that the browser prefers */
export async function openScreen(
  page: Page,
  service: SampleService,
  screen: Screen,
  copy: Copy,
): Promise<void> {
  await page.unrouteAll()
  await page.mouse.move(0, 0)
  await page.addInitScript(KEEP_MESSAGES)
  // In a document without the program, which would save what was typed when it is left.
  await page.goto(`${service.holdall.address}/health`)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  if (screen.as !== 'signed-out') {
    const { key } = screen.as === 'new-user' ? service.newUser : service.client
    await page.evaluate(`localStorage.setItem('holdall.key', '${key}')`)
  }
  await page.goto(service.holdall.address + screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screen.prepare?.(page, copy)
}

async function tryWrongKey(page: Page, copy: Copy) {
  await page.getByLabel(copy.signInCopy.paste).fill('hold_wrong')
  await page.getByRole('button', { name: copy.signInCopy.signIn }).click()
  await page.getByRole('alert').waitFor()
}

async function useExpiredKey(page: Page) {
  await page.evaluate(`localStorage.setItem('holdall.key', 'hold_old')`)
  await page.reload()
  await page.getByRole('alert').waitFor()
}

/** A link that somebody sends to a user who is signed in. It is not used. */
async function openSignInLink(page: Page) {
  await page.evaluate(`location.href = '/sign-in#${'a'.repeat(43)}'`)
  await page.getByRole('heading', { level: 1, name: 'owner' }).waitFor()
}

/** An archive in which a byte was changed. */
async function checkDamaged(page: Page, copy: Copy) {
  const bytes = buildZip([
    {
      name: 'minutes/january.txt',
      content: 'The meeting was opened at nine.',
      central: { crc32: 1 },
      local: { crc32: 1 },
    },
    { name: '../outside.txt', content: 'x' },
    { name: 'photos/summer.jpg', content: 'A photo.' },
  ])
  const file = { name: 'minutes.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) }
  await page.getByLabel(copy.checkZipCopy.file).setInputFiles(file)
  await page.getByText(copy.checkZipCopy.hasProblems('minutes.zip', 2)).waitFor()
}

async function openRowMenu(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archiveListCopy.menu.title('press-kit.zip') }).click()
  await page.getByRole('menu').waitFor()
}

async function selectAll(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archiveListCopy.select }).click()
  await page.getByRole('checkbox', { name: copy.archiveListCopy.all, exact: true }).check()
}

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: '.zip' }).first().waitFor()
}

/** By the keyboard, because on a phone a click would first scroll the page, and the menu with it. */
async function chooseItem(page: Page, name: string) {
  await page.getByRole('menuitem', { name }).press('Enter')
}

async function openEditDialog(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archiveListCopy.menu.title('summer-photos.zip') }).click()
  await chooseItem(page, copy.archiveListCopy.menu.edit)
  await page.getByRole('dialog').waitFor()
}

/** Deletes an archive only in the interface: without the `pagehide` event the page sends no request when it closes. */
async function deleteArchive(page: Page, copy: Copy) {
  await page.evaluate(`addEventListener('pagehide', (event) => event.stopImmediatePropagation())`)
  await page.getByRole('button', { name: copy.archiveListCopy.menu.title('maps.zip') }).click()
  await chooseItem(page, copy.archiveListCopy.menu.delete)
  const toast = page.getByRole('listitem').filter({ hasText: copy.archiveListCopy.deleted('maps.zip') })
  await toast.waitFor()
}

async function cutConnection(page: Page, copy: Copy) {
  await page.route(/^http:\/\/[^/]+\/(?:jobs|events)\b/, (route) => route.abort())
  await page.reload()
  await page.getByText(copy.shellCopy.reconnecting).waitFor()
}

async function createKey(page: Page, copy: Copy) {
  await page.getByRole('textbox', { name: copy.keysCopy.form.name }).fill('Scanner')
  await page.getByRole('button', { name: copy.keysCopy.form.create }).click()
  await page.getByRole('heading', { name: copy.keysCopy.created.title('Scanner') }).waitFor()
}

async function openRevokeDialog(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.keysCopy.row.revokeKey('Build server') }).click()
  await page.getByRole('dialog').waitFor()
}

async function waitForSharedSite(page: Page, copy: Copy) {
  await page.getByText(copy.sitesCopy.row.sharedWithYou).waitFor()
}

async function openNewSite(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.sitesCopy.add }).click()
  await page.getByRole('button', { name: copy.sitesCopy.logins.addHeader }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: copy.sitesCopy.logins.header })
    .fill('X-API-Key')
}

async function editSite(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.sitesCopy.row.actions('Photo library') }).click()
  await chooseItem(page, copy.sitesCopy.row.edit)
  await page.getByRole('dialog').waitFor()
}

async function editProxy(page: Page, copy: Copy) {
  await page
    .getByRole('button', { name: copy.settingsCopy.editSubject(copy.settingsCopy.proxy.title) })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(copy.settingsCopy.proxy.address, { exact: true }).fill('http://proxy.example:3128')
  await dialog.getByLabel(copy.settingsCopy.code.label).waitFor()
}

async function editPlan(page: Page, copy: Copy) {
  const { editSubject, plans } = copy.settingsCopy
  await page.getByRole('button', { name: editSubject(plans.title('Free')) }).click()
  await page.getByRole('dialog').waitFor()
}

async function editSchedule(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.schedulesCopy.menu.actions('Prices') }).click()
  await chooseItem(page, copy.schedulesCopy.menu.edit)
  await page.getByRole('dialog').waitFor()
}

async function openSchedule(page: Page, copy: Copy) {
  await page.getByRole('link', { name: 'Prices' }).click()
  await page
    .getByRole('region', { name: copy.schedulesCopy.page.runs })
    .getByRole('listitem')
    .first()
    .waitFor()
}

async function createWebhook(page: Page, copy: Copy) {
  await page
    .getByRole('combobox', { name: copy.notificationsCopy.form.by })
    .selectOption(copy.notificationsCopy.form.kinds.webhook)
  await page
    .getByRole('textbox', { name: copy.notificationsCopy.form.targets.webhook })
    .fill('http://127.0.0.1:9/hook')
  await page.getByRole('button', { name: copy.notificationsCopy.form.add, exact: true }).click()
  await page.getByRole('heading', { name: copy.notificationsCopy.webhookAdded }).waitFor()
}

async function openWebhook(page: Page) {
  await page.getByRole('link', { name: /\/warehouse$/ }).click()
  await page.getByRole('heading', { level: 1, name: /\/warehouse$/ }).waitFor()
}

async function openDisabledWebhook(page: Page) {
  await page.getByRole('link', { name: /closed/ }).click()
  await page.getByRole('alert').waitFor()
}

async function openDeleteDialog(page: Page, copy: Copy) {
  await openWebhook(page)
  await page.getByRole('button', { name: copy.notificationsCopy.page.actions('').trim() }).click()
  await chooseItem(page, copy.notificationsCopy.page.delete)
  await page.getByRole('dialog').waitFor()
}

async function createSignInLink(page: Page, copy: Copy) {
  await openUserMenu(page, copy)
  await chooseItem(page, copy.usersCopy.row.newLink)
  await page.getByRole('button', { name: copy.sharingCopy.copyLink }).waitFor()
}

async function openRemoveUserDialog(page: Page, copy: Copy) {
  await openUserMenu(page, copy)
  await chooseItem(page, copy.usersCopy.row.remove)
  await page.getByRole('dialog').waitFor()
}

async function openUserMenu(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.usersCopy.row.actions('new-user') }).click()
}

async function waitForRefusal(page: Page, copy: Copy) {
  await page.getByRole('heading', { name: copy.controlsCopy.ownerOnly }).waitFor()
}

async function waitForService(page: Page, copy: Copy) {
  await page.getByRole('heading', { name: copy.serviceCopy.disk.title }).waitFor()
  await page.getByRole('region', { name: copy.settingsCopy.title }).waitFor()
}

async function searchDocs(page: Page) {
  await page.getByRole('searchbox', { name: 'Search' }).fill('expires')
  await page.getByRole('link', { name: 'expires_in' }).first().waitFor()
}

async function openMenu(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.shellCopy.menu.title }).click()
  await page.getByRole('menu').waitFor()
}

/** The service itself answers an unknown path, so the page shows "not found" only after client-side navigation. */
async function openUnknownPath(page: Page, copy: Copy) {
  await page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { name: copy.shellCopy.notFound }).waitFor()
}

async function openShortcuts(page: Page, copy: Copy) {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: copy.shellCopy.shortcuts.title }).waitFor()
}
