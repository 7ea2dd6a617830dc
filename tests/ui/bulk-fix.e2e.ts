import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByKey } from './sign-in-steps.ts'

const FAILING = ['/status/404?/300/c.bin', '/status/404?/400/d.bin', '/status/410']

test('A text is replaced in all failed links after a preview, which can be undone, and the archive continues', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const dialog = await openBulkFix(page, holdall.address, await createFailed(page, holdall, origin.url))
  await expect(dialog.getByRole('button', { name: 'Change links' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Find' }).fill('/status/500')
  await expect(dialog.getByText('No failed link contains this text.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Find' }).fill('/status/404?')
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('/bytes')
  await expect(dialog.getByRole('status')).toHaveText('2 links will change.')
  await expect(dialog.getByRole('listitem')).toHaveText([
    `2${origin.url('/status/404?/300/c.bin')}${origin.url('/bytes/300/c.bin')}`,
    `3${origin.url('/status/404?/400/d.bin')}${origin.url('/bytes/400/d.bin')}`,
  ])
  await expect(dialog.locator('mark')).toHaveText(['bytes', 'bytes'])

  await dialog.getByRole('button', { name: 'Change 2 links' }).click()
  await expect(page.getByRole('button', { name: 'Fix several at once' })).toBeFocused()
  await expect(urlField(page, 2)).toHaveValue(origin.url('/bytes/300/c.bin'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(urlField(page, 2)).toHaveValue(origin.url('/status/404?/300/c.bin'))
  await expect(page.getByText('links fixed')).toBeHidden()

  await page.getByRole('button', { name: 'Fix several at once' }).click()
  await dialog.getByRole('textbox', { name: 'Find' }).fill('status/404?')
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('bytes')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 links fixed')).toBeVisible()
  await page.getByRole('button', { name: 'Continue and leave out the other 1' }).click()
  await expect(page.getByText('3 files ·')).toBeVisible()
  expect(origin.requests('/bytes/100/a.bin')).toHaveLength(1)
})

test('A pasted column replaces the failed links in their order, except by links that can’t be used', async ({
  page,
  holdall,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await using origin = await startOrigin()
  const dialog = await openBulkFix(page, holdall.address, await createFailed(page, holdall, origin.url))
  await dialog.getByRole('radio', { name: 'Paste a column' }).check()
  const column = dialog.getByRole('textbox', { name: /^New links, one per line/ })
  await column.fill(`${origin.url('/bytes/300/c.bin')}\n\nexample.org/e.bin\nfour\n`)
  await expect(dialog.getByRole('status')).toHaveText(
    '1 link will change. 1 new link can’t be used. 4 lines for 3 failed links. Lines left over are ignored.',
  )
  await expect(dialog.getByRole('listitem').first()).toContainText('Missing https://')
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
  await dialog.getByRole('button', { name: 'Change 1 link' }).click()

  await expect(urlField(page, 2)).toHaveValue(origin.url('/bytes/300/c.bin'))
  await expect(urlField(page, 4)).toHaveValue(origin.url('/status/410'))
  await page.getByRole('button', { name: 'Fix several at once' }).click()
  await dialog.getByRole('radio', { name: 'Paste a column' }).check()
  await column.fill(['/bytes/300/c.bin', '/bytes/400/d.bin', '/bytes/500/e.bin'].map(origin.url).join('\n'))
  await expect(dialog.getByRole('status')).toHaveText('2 links will change. 3 lines for 3 failed links.')
  await dialog.getByRole('button', { name: 'Change 2 links' }).click()
  await page.getByRole('button', { name: 'Continue with 3 fixed links' }).click()
  await expect(page.getByText('4 files ·')).toBeVisible()
})

/** Creates an archive of one good file and three links that fail. */
async function createFailed(
  page: Page,
  holdall: Parameters<typeof signInByKey>[1],
  url: (path: string) => string,
): Promise<string> {
  const client = await signInByKey(page, holdall)
  const id = await client.createJob({ urls: ['/bytes/100/a.bin', ...FAILING].map(url) })
  await client.untilEnded(id)
  return id
}

async function openBulkFix(page: Page, address: string, id: string) {
  await page.goto(`${address}/archives/${id}`)
  await page.getByRole('button', { name: 'Fix several at once' }).click()
  return page.getByRole('dialog', { name: 'Fix several at once' })
}

function urlField(page: Page, number: number) {
  return page.getByRole('textbox', { name: `URL of link ${number}`, exact: true })
}
