import type { Page } from 'playwright/test'
import { refusal } from './complaints.ts'
import type { Scene } from './scene.ts'

/** A screen and how one gets there. */
export interface Screen {
  readonly name: string
  /** A path of the interface. */
  readonly path: string
  /** Who looks at it; the scene's own user if not said. */
  readonly as?: 'newcomer' | 'nobody'
  /** What one looks at stands above the page. */
  readonly isOverlay?: boolean
  /** What the browser says there of requests that come to nothing, as they should. */
  readonly provokes?: readonly string[]
  /** What is done there before one looks. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Every screen of the interface in its states. */
export function screensOf({ archives }: Scene): readonly Screen[] {
  return [
    { name: 'sign-in', path: '/sign-in', as: 'nobody' },
    {
      name: 'sign-in-refused',
      path: '/sign-in',
      as: 'nobody',
      prepare: tryWrongKey,
      provokes: [refusal('401')],
    },
    {
      name: 'sign-in-expired',
      path: '/sign-in',
      as: 'nobody',
      prepare: comeWithOldKey,
      provokes: [refusal('401')],
    },
    { name: 'home', path: '/' },
    { name: 'home-empty', path: '/', as: 'newcomer' },
    { name: 'home-with-links', path: '/', prepare: fillLinks },
    { name: 'archives', path: '/archives' },
    { name: 'archives-failed', path: '/archives?status=failed' },
    { name: 'archives-empty', path: '/archives', as: 'newcomer' },
    { name: 'archives-menu', path: '/archives', prepare: openRowMenu, isOverlay: true },
    { name: 'archives-deleted', path: '/archives', prepare: deleteOne, isOverlay: true },
    { name: 'archives-unreachable', path: '/archives', prepare: cutOff, provokes: ['net::ERR_FAILED'] },
    ...Object.entries(archives).map(([state, id]) => ({ name: `archive-${state}`, path: `/archives/${id}` })),
    {
      name: 'archive-gone',
      path: '/archives/00000000-0000-4000-8000-000000000000',
      provokes: [refusal('404')],
    },
    { name: 'keys', path: '/keys' },
    { name: 'keys-created', path: '/keys', prepare: createKey },
    { name: 'keys-revoke', path: '/keys', prepare: askToRevoke, isOverlay: true },
    { name: 'account', path: '/account' },
    { name: 'account-empty', path: '/account', as: 'newcomer' },
    { name: 'menu', path: '/account', prepare: openMenu, isOverlay: true },
    { name: 'shortcuts', path: '/archives', prepare: askForShortcuts, isOverlay: true },
    { name: 'not-found', path: '/', prepare: goNowhere },
  ]
}

/** Brings a page to a screen. */
export async function openScreen(page: Page, scene: Scene, screen: Screen): Promise<void> {
  if (screen.as !== 'nobody') {
    const { key } = screen.as === 'newcomer' ? scene.newcomer : scene.client
    await page.context().addInitScript(`localStorage.setItem('holdall.key', '${key}')`)
  }
  await page.goto(scene.holdall.address + screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screen.prepare?.(page)
}

async function tryWrongKey(page: Page) {
  await page.getByLabel('Or paste a link or an API key').fill('hold_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

async function comeWithOldKey(page: Page) {
  await page.evaluate(`localStorage.setItem('holdall.key', 'hold_old')`)
  await page.reload()
  await page.getByRole('alert').waitFor()
}

async function fillLinks(page: Page) {
  const links = ['report.pdf', 'photos/summer.jpg', 'photos/winter.jpg', 'report.pdf', 'data/2026.csv']
  const text = [...links.map((name) => `https://example.org/${name}`), 'example.org/x', 'ftp://example.org/y']
  await page.getByRole('textbox', { name: 'URLs' }).fill(text.join('\n'))
  await page.getByText('Names in the archive', { exact: true }).click()
  await page.getByText('Options', { exact: true }).click()
}

async function openRowMenu(page: Page) {
  await page.getByRole('button', { name: 'More for press-kit.zip' }).click()
  await page.getByRole('menu').waitFor()
}

/** Only out of sight: whoever points at the note holds it, and the page takes its leave without a word. */
async function deleteOne(page: Page) {
  await page.evaluate(`addEventListener('pagehide', (event) => event.stopImmediatePropagation())`)
  await page.getByRole('button', { name: 'More for maps.zip' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Deleted maps.zip').hover()
}

async function cutOff(page: Page) {
  await page.route(/\/(?:jobs|events)\b/, (route) => route.abort())
  await page.reload()
  await page.getByText('Reconnecting to Holdall…').waitFor()
}

async function createKey(page: Page) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Scanner')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Scanner is ready' }).waitFor()
}

async function askToRevoke(page: Page) {
  await page.getByRole('button', { name: 'Revoke Build server' }).click()
  await page.getByRole('dialog').waitFor()
}

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('menu').waitFor()
}

/** The service knows the pages' addresses: only from within one gets to one that is none. */
async function goNowhere(page: Page) {
  await page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
}

async function askForShortcuts(page: Page) {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}
