import type { Page } from 'playwright/test'
import { failedRequest } from './browser-errors.ts'
import type { Copy } from './copy.ts'
import type { SampleService } from './sample-service.ts'
import { type Screen, waitForRows } from './screen.ts'

/** The page of an archive in each state, with its dialogs, and the page for a receiver. */
export function archiveScreens({ archives, sharePaths }: SampleService): readonly Screen[] {
  const partial = `/archives/${archives.partial}`
  return [
    ...Object.entries(archives).map(([state, id]) => ({
      name: `archive-${state}`,
      path: `/archives/${id}`,
      prepare: waitForArchive,
    })),
    { name: 'archive-fixing', path: partial, prepare: startFixing },
    { name: 'archive-check-rows', path: `/archives/${archives.check}`, prepare: filterWrong },
    { name: 'archive-replacing', path: `/archives/${archives.check}`, prepare: startReplacing },
    { name: 'archive-bulk-text', path: partial, prepare: replaceText, isOverlay: true },
    { name: 'archive-bulk-column', path: partial, prepare: pasteColumn, isOverlay: true },
    { name: 'archive-refresh', path: partial, prepare: openRefreshDialog, isOverlay: true },
    {
      name: 'archive-gone',
      path: '/archives/00000000-0000-4000-8000-000000000000',
      expectedErrors: [failedRequest('404')],
    },
    { name: 'archive-share', path: partial, prepare: showShareDialog, isOverlay: true },
    {
      name: 'archive-preview',
      path: `/archives/${archives.fixed}`,
      prepare: previewPicture,
      isOverlay: true,
    },
    { name: 'share', path: sharePaths.ready, as: 'signed-out', prepare: waitForRows },
    { name: 'share-folders', path: sharePaths.fixed, as: 'signed-out', prepare: waitForRows },
    { name: 'share-select', path: sharePaths.fixed, as: 'signed-out', prepare: selectFolder },
    {
      name: 'share-preview',
      path: sharePaths.fixed,
      as: 'signed-out',
      prepare: previewPicture,
      isOverlay: true,
    },
    { name: 'share-pdf', path: sharePaths.fixed, as: 'signed-out', prepare: previewPdf, isOverlay: true },
    { name: 'share-check', path: sharePaths.check, as: 'signed-out', prepare: waitForRows },
    { name: 'share-packing', path: sharePaths.running, as: 'signed-out' },
    {
      name: 'share-qr',
      path: sharePaths.ready,
      as: 'signed-out',
      prepare: showQrCode,
      isOverlay: true,
    },
    {
      name: 'share-wrong',
      path: '/share/wrong',
      as: 'signed-out',
      expectedErrors: [failedRequest('403')],
    },
  ]
}

/** Until the archive is loaded, a placeholder is shown, whose heading is "Archive". */
async function waitForArchive(page: Page) {
  await page.getByRole('heading', { level: 1, name: /\.zip$/ }).waitFor()
}

async function startFixing(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archivePageCopy.fixing.fix(3) }).click()
  const url = page.getByRole('textbox', { name: copy.archivePageCopy.row.url('13') })
  await url.fill('https://example.org/report.pdf')
}

async function replaceText(page: Page, copy: Copy) {
  await openBulkFix(page, copy)
  await page.getByRole('textbox', { name: copy.archivePageCopy.bulk.find }).fill('/status')
  await page.getByRole('textbox', { name: copy.archivePageCopy.bulk.replaceWith }).fill('/documents/2026')
}

async function filterWrong(page: Page, copy: Copy) {
  await page.getByRole('button', { name: `${copy.entriesCopy.statuses.check} 3` }).click()
}

async function startReplacing(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archivePageCopy.row.replaceFile('contract.pdf') }).click()
  await page.getByRole('textbox', { name: copy.archivePageCopy.row.url('10') }).waitFor()
}

async function pasteColumn(page: Page, copy: Copy) {
  await openBulkFix(page, copy)
  await page.getByRole('radio', { name: copy.archivePageCopy.bulk.pasteColumn }).check()
  await page
    .getByRole('textbox', { name: copy.archivePageCopy.bulk.column })
    .fill('https://example.org/reports/north.pdf\nexample.org/reports/south.pdf')
}

async function openBulkFix(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archivePageCopy.fixing.fix(3) }).click()
  await page.getByRole('button', { name: copy.archivePageCopy.bulk.title }).click()
}

async function showShareDialog(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.sharingCopy.share }).click()
  await waitForQrCode(page, copy)
}

async function showQrCode(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.sharingCopy.qrCode }).click()
  await waitForQrCode(page, copy)
}

async function waitForQrCode(page: Page, copy: Copy) {
  await page.getByRole('img', { name: copy.sharingCopy.qrCodeOfLink }).waitFor()
}

async function selectFolder(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.sharePageCopy.select }).click()
  await page.getByRole('checkbox', { name: copy.sharePageCopy.folder('photos/'), exact: true }).check()
}

async function previewPicture(page: Page) {
  await page.getByRole('button', { name: 'morning.svg' }).click()
  await page.getByRole('dialog').getByRole('img', { name: 'morning.svg' }).waitFor()
}

async function previewPdf(page: Page, copy: Copy) {
  await page.getByRole('button', { name: 'route.pdf' }).click()
  await page
    .getByRole('dialog')
    .getByRole('img', { name: copy.previewCopy.page('1') })
    .waitFor()
}

async function openRefreshDialog(page: Page, copy: Copy) {
  await page.getByRole('button', { name: copy.archivePageCopy.refreshing.action }).click()
  await page.getByRole('dialog').waitFor()
}
