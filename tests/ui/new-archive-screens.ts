import type { Page } from 'playwright/test'
import type { Copy } from './copy.ts'
import { pasteLinks } from './link-steps.ts'
import type { SampleService } from './sample-service.ts'
import type { Screen } from './screen.ts'

/** The start page with what people paste, and the dialogs for it. */
export function newArchiveScreens({ origin, listing }: SampleService): readonly Screen[] {
  const checkLinks = async (page: Page, copy: Copy) => {
    const paths = [
      '/files/report.pdf',
      '/status/404/a.pdf',
      '/page/b.pdf',
      '/empty/c.bin',
      '/files/report.pdf',
    ]
    await pasteLinks(page, paths.map((path) => origin.url(path)).join('\n'))
    await page.getByRole('button', { name: copy.newArchiveCopy.list.checkLinks }).click()
    await page.getByRole('button', { name: copy.newArchiveCopy.check.close, exact: true }).waitFor()
  }
  const lookInside = async (page: Page, copy: Copy) => {
    await pasteLinks(page, listing)
    await page.getByRole('button', { name: copy.newArchiveCopy.list.lookInside }).click()
    await page.getByRole('button', { name: copy.newArchiveCopy.inside.add(4) }).waitFor()
  }
  return [
    { name: 'home', path: '/' },
    { name: 'home-empty', path: '/', as: 'new-user' },
    { name: 'home-with-links', path: '/', prepare: fillLinks },
    { name: 'home-selected', path: '/', prepare: selectLinks },
    { name: 'home-as-text', path: '/', prepare: editAsText },
    { name: 'home-with-login', path: '/', prepare: pasteLogin },
    { name: 'home-without-links', path: '/', prepare: pasteWords },
    { name: 'home-too-many', path: '/', prepare: pasteTooMany },
    { name: 'home-checked', path: '/', prepare: checkLinks },
    { name: 'home-look-inside', path: '/', prepare: lookInside, isOverlay: true },
    { name: 'home-move', path: '/', prepare: moveLinks, isOverlay: true },
    { name: 'home-repeat', path: '/', prepare: openRepeatMenu, isOverlay: true },
    { name: 'home-folders', path: '/', prepare: fillFolders },
    { name: 'home-repeat-page', path: '/', prepare: openPageDialog, isOverlay: true },
    { name: 'home-repeat-custom', path: '/', prepare: openRepeatDialog, isOverlay: true },
  ]
}

async function fillLinks(page: Page, copy: Copy) {
  const links = ['report.pdf', 'photos/summer.jpg', 'photos/winter.jpg', 'report.pdf', 'data/2026.csv']
  const text = [...links.map((name) => `https://example.org/${name}`), 'example.org/x', 'ftp://example.org/y']
  await pasteLinks(page, text.join('\n'))
  await page.getByText(copy.newArchiveCopy.list.ignored(1)).click()
  await page.getByText(copy.newArchiveCopy.options.title, { exact: true }).click()
}

async function selectLinks(page: Page, copy: Copy) {
  await fillLinks(page, copy)
  const kinds = page.getByRole('list', { name: copy.controlsCopy.kindsOfFiles })
  await kinds.getByRole('button').first().click()
  await page.getByRole('checkbox', { name: copy.newArchiveCopy.narrowing.selectAll }).check()
}

async function editAsText(page: Page, copy: Copy) {
  await pasteLinks(page, 'https://example.org/report.pdf\nhttps://example.org/photos/summer.jpg')
  await page.getByRole('button', { name: copy.newArchiveCopy.list.editAsText }).click()
  await page.getByText(copy.newArchiveCopy.box.found(2)).waitFor()
}

async function pasteLogin(page: Page, copy: Copy) {
  await pasteLinks(page, `curl 'https://example.org/report.pdf' -b 'session=secret'`)
  await page.getByRole('radio', { name: copy.newArchiveCopy.logins.save('example.org') }).waitFor()
}

async function pasteWords(page: Page, copy: Copy) {
  await pasteLinks(page, 'Dear all, the minutes are attached.')
  await page.getByText(copy.newArchiveCopy.box.noLinks).waitFor()
}

async function pasteTooMany(page: Page, copy: Copy) {
  const links = Array.from({ length: 5_042 }, (_, index) => `https://example.org/scans/page-${index + 1}.tif`)
  await pasteLinks(page, links.join('\n'))
  await page.getByRole('button', { name: copy.newArchiveCopy.pack.createSeveral(2) }).waitFor()
}

async function moveLinks(page: Page, copy: Copy) {
  await selectLinks(page, copy)
  await page.getByRole('button', { name: copy.newArchiveCopy.narrowing.moveToFolder }).click()
  await page.getByRole('dialog').waitFor()
}

async function openRepeatMenu(page: Page, copy: Copy) {
  await pasteLinks(page, 'https://example.org/prices.csv')
  await page.getByRole('button', { name: copy.repeatCopy.repeat }).click()
  await page.getByRole('menu').waitFor()
}

async function openRepeatDialog(page: Page, copy: Copy) {
  await openRepeatMenu(page, copy)
  await page.getByRole('menuitem', { name: copy.repeatCopy.custom }).click()
  await page.getByRole('dialog').waitFor()
}

async function fillFolders(page: Page, copy: Copy) {
  const names = [
    'Papers/report.pdf',
    'Papers/2026/summer.pdf',
    'Pictures/summer.jpg',
    'Pictures/winter.jpg',
    'data.csv',
  ]
  await pasteLinks(page, names.map((name, index) => `https://example.org/${index}\t${name}`).join('\n'))
  await page.getByRole('checkbox', { name: copy.newArchiveCopy.list.select('Papers/report.pdf') }).check()
  await page.getByRole('button', { name: `Pictures ${copy.baseCopy.files(2)}` }).click()
}

async function openPageDialog(page: Page, copy: Copy) {
  await pasteLinks(page, 'https://example.org/reports/')
  await page.getByRole('button', { name: copy.repeatCopy.repeat }).click()
  await page.getByRole('menuitem', { name: copy.repeatCopy.page('example.org') }).click()
  await page.getByRole('dialog').waitFor()
}
