import { expect } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import { readZip } from '../support/read-zip.ts'
import { startSources } from '../support/sources.ts'
import { announcements, recordAnnouncements } from './announcements.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { packButton, pasteLinks } from './link-steps.ts'
import { downloadLink, files } from './share-page-steps.ts'
import { signInByLink } from './sign-in-steps.ts'

test('While an archive is packed, its maker copies the link, and a stranger sees it become ready and downloads it', async ({
  page,
  holdall,
  otherBrowser,
}) => {
  await using sources = startSources()
  await signInByLink(page, holdall)
  await pasteLinks(page, ['/ok/a', '/ok/b', '/slow'].map(sources.url).join('\n'))
  await packButton(page).click()
  await expect(page.getByText('2 of 3 files')).toBeVisible()
  await page.getByRole('button', { name: 'Share' }).click()
  const copyLink = page.getByRole('dialog').getByRole('button', { name: 'Copy link' })
  const link = await copiedBy(page, () => copyLink.click())
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Link' })).toHaveValue(link)

  await otherBrowser.goto(link)
  await expect(otherBrowser.getByRole('heading', { name: /^127\.0\.0\.1 .*\.zip$/ })).toBeVisible()
  await expect(otherBrowser.getByText('66% packed')).toBeVisible()
  await expect(otherBrowser.getByText(/^2 files · .* so far$/)).toBeVisible()
  await expect(otherBrowser).toHaveTitle(/^66% 127\.0\.0\.1 /)
  const early = otherBrowser.waitForEvent('download')
  await downloadLink(otherBrowser).click()
  const earlyDownload = await early
  await otherBrowser.getByRole('button', { name: 'Copy link' }).focus()
  await recordAnnouncements(otherBrowser)

  sources.release()
  await expect(files(otherBrowser)).toHaveCount(3)
  expect(await readZip(await earlyDownload.path())).toHaveLength(3)
  await expect(otherBrowser.getByRole('button', { name: 'Copy link' })).toBeFocused()
  await expect.poll(() => announcements(otherBrowser)).toEqual(['The archive is ready'])
  const download = otherBrowser.waitForEvent('download')
  await downloadLink(otherBrowser).click()
  expect(await readZip(await (await download).path())).toHaveLength(3)

  await expect(page.getByText('Ready to download')).toBeAttached()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Link' })).toHaveValue(link)
})

test('When packing is cancelled, the page of a receiver says so, and shows the archive after another try', async ({
  page,
  holdall,
}) => {
  await using sources = startSources()
  const client = await signInOwner(holdall)
  const id = await client.createJob({ urls: [sources.url('/slow')] })
  await page.goto((await client.getJob(id)).share_url ?? '')
  await expect(page.getByRole('progressbar')).toBeVisible()
  await client.request('POST', `/jobs/${id}/cancel`)
  await expect(page.getByRole('heading', { name: 'This archive couldn’t be packed' })).toBeVisible()
  sources.release()
  await client.request('POST', `/jobs/${id}/retry`)
  await expect(downloadLink(page)).toBeVisible()
})
