import { expect, type Page } from 'playwright/test'
import type { Holdall } from '../support/executable.ts'
import { expectedSha256, type Origin, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByKey } from './sign-in-steps.ts'

test('Failed links are corrected in the table, and the archive continues without fetching the other files again', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404', '/status/410'])
  await expect(page.getByText('2 of 4 links could not be fetched.')).toBeVisible()
  await expect(urlField(page, 3)).toHaveValue(origin.url('/status/404'))

  await urlField(page, 3).fill(origin.url('/bytes/300/three.bin'))
  await urlField(page, 4).fill('three')
  await page.getByRole('button', { name: 'Done 2' }).click()
  await page.getByRole('img', { name: /^Map of / }).click({ position: { x: 5, y: 5 } })
  await expect(page.getByText('2 links fixed')).toBeVisible()
  await page.getByRole('button', { name: 'Continue with 2 fixed links' }).click()
  await expect(urlField(page, 4)).toHaveAccessibleDescription('Not a valid URL')
  await expect(urlField(page, 4)).toBeFocused()
  await urlField(page, 4).fill(origin.url('/bytes/400/four.bin'))
  await page.getByRole('button', { name: 'Continue with 2 fixed links' }).click()

  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(page.getByText('4 files ·')).toBeVisible()
  expect(origin.requests('/bytes/100/one.bin')).toHaveLength(1)
  expect(origin.requests('/bytes/200/two.bin')).toHaveLength(1)
  using dir = tempDir()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  await download.saveAs(dir.file('archive.zip'))
  await expectReadable(dir.file('archive.zip'), expectedEntries([100, 200, 300, 400]))
})

test('An archive continues without the links that failed', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404'])
  await page.getByRole('button', { name: 'Skip failed links' }).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(page.getByText('1 left out')).toBeVisible()
  expect(origin.requests('/bytes/100/one.bin')).toHaveLength(1)
})

test('One link can be corrected and the others skipped', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404', '/status/410'])
  await urlField(page, 4).fill(origin.url('/bytes/400/four.bin'))
  await page.getByRole('button', { name: 'Continue and leave out the other 1' }).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(page.getByText('3 files ·')).toBeVisible()
})

test('“Try again” fetches only the missing files, “Start over” fetches all', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  // The URL fails twice, in the first run and in the retry.
  const { client, id } = await openFailed(page, holdall, origin, [
    '/bytes/300/three.bin?fail=2&fail_status=404',
  ])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => origin.requests('/bytes/300/three.bin').length).toBe(2)
  await client.untilEnded(id)
  await expect(page.getByRole('heading', { name: 'Archive failed' })).toBeVisible()
  expect(origin.requests('/bytes/100/one.bin')).toHaveLength(1)

  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  expect(origin.requests('/bytes/100/one.bin')).toHaveLength(2)
})

test('Corrections can be undone', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404'])
  await urlField(page, 3).fill('https://example.org/')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(urlField(page, 3)).toHaveValue(origin.url('/status/404'))
  await expect(page.getByText('1 link fixed')).toBeHidden()
})

test('Corrections stay when the page is left by a link of the menu, by Back and by a reload', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404', '/status/410'])
  await urlField(page, 3).fill('https://example.org/new.pdf')
  await page.getByRole('button', { name: 'Leave out 410' }).click()
  await expect(page.getByRole('button', { name: 'Edit 410' })).toBeFocused()
  const expectKept = async () => {
    await expect(urlField(page, 3)).toHaveValue('https://example.org/new.pdf')
    await expect(page.getByText('Will be left out')).toBeVisible()
    await expect(page.getByText('1 link fixed · 1 left out')).toBeVisible()
  }
  await page.reload()
  await expectKept()
  await page.getByRole('navigation').getByRole('link', { name: 'Archives' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Archives' })).toBeVisible()
  await page.goBack()
  await expectKept()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.reload()
  await expect(urlField(page, 3)).toHaveValue(origin.url('/status/404'))
})

test('An emptied field counts as nothing, and is not sent', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404'])
  await urlField(page, 3).fill('')
  await expect(page.getByText('No links fixed yet')).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(urlField(page, 3)).toHaveAccessibleDescription('Enter a link, or leave it out')
})

test('One failed link is left out and the others are fetched again', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const flaky = '/bytes/300/three.bin?fail=1&fail_status=404'
  await openFailed(page, holdall, origin, [flaky, '/status/410'])
  await page.getByRole('button', { name: 'Leave out 410' }).click()
  await page.getByRole('button', { name: 'Retry three.bin' }).click()
  await expect(page.getByText('1 to retry · 1 left out')).toBeVisible()
  await page.getByRole('button', { name: 'Edit three.bin' }).click()
  await expect(urlField(page, 3)).toBeFocused()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  await expect(page.getByText('3 files ·')).toBeVisible()
  expect(origin.requests('/status/410')).toHaveLength(1)
})

test('For a blocked address, the page says who can allow it and how', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, [], ['http://10.1.2.3/intranet.pdf'])
  const notice = page.getByRole('alert').filter({ hasText: '10.1.2.3' })
  await expect(notice).toContainText('An administrator can allow it')
  await expect(notice).toContainText('--allow-network 10.1.2.3/32')
  await expect(notice).toContainText('HOLDALL_ALLOW_NETWORK')
})

test('Links can be corrected by keyboard alone', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404', '/status/410'])
  await urlField(page, 3).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(origin.url('/bytes/300/three.bin'))
  await page.keyboard.press('Enter')
  await expect(urlField(page, 4)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(origin.url('/bytes/400/four.bin'))
  // Past what else can be done about the link: to retry it as it is, and to leave it out.
  for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Discard changes' })).toBeFocused()
  const continueButton = page.getByRole('button', { name: 'Continue with 2 fixed links' })
  const isFocused = () => continueButton.evaluate((button) => button.matches(':focus'))
  for (let stop = 0; stop < 6 && !(await isFocused()); stop += 1) await page.keyboard.press('Tab')
  await expect(continueButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
})

test('Links can be corrected on a phone', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await using origin = await startOrigin()
  await openFailed(page, holdall, origin, ['/status/404'])
  await expect(page.getByText('Not found (404)').filter({ visible: true })).toHaveCount(1)
  await urlField(page, 3).fill(origin.url('/bytes/300/three.bin'))
  await page.getByRole('button', { name: 'Continue with 1 fixed link' }).click()
  await expect(page.getByRole('heading', { name: 'Ready to download' })).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

/** Opens the page of a failed archive of two good files and the given URLs. */
async function openFailed(
  page: Page,
  holdall: Holdall,
  origin: Origin,
  paths: readonly string[],
  urls: readonly string[] = paths.map(origin.url),
) {
  const client = await signInByKey(page, holdall)
  const good = ['/bytes/100/one.bin', '/bytes/200/two.bin'].map(origin.url)
  const id = await client.createJob({ urls: [...good, ...urls] })
  await client.untilEnded(id)
  await page.goto(`${holdall.address}/archives/${id}`)
  await expect(page.getByRole('heading', { name: 'Archive failed' })).toBeVisible()
  return { client, id }
}

function urlField(page: Page, number: number) {
  return page.getByRole('textbox', { name: `URL of link ${number}`, exact: true })
}

function expectedEntries(sizes: readonly number[]) {
  const names = ['one.bin', 'two.bin', 'three.bin', 'four.bin']
  return sizes.map((sizeBytes, index) => ({
    name: names[index] ?? '',
    sha256: expectedSha256(sizeBytes),
    sizeBytes,
  }))
}
