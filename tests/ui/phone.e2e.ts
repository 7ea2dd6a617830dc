import { expect } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { packButton, typeLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

test('By touch on a phone, an archive is packed and downloaded, a deletion undone, and a key made', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await page.goto(await holdall.signInLink())
  await typeLinks(page, origin.url('/bytes/100/a.bin'))
  const repeat = page.getByRole('button', { name: 'Repeat' })
  await repeat.tap()
  await expect(page.getByRole('menuitem', { name: 'Every hour' })).toBeInViewport({ ratio: 1 })
  await repeat.tap()
  await page.getByRole('textbox', { name: 'Archive name' }).fill('holiday')
  await packButton(page).tap()
  await expect(page.getByRole('heading', { name: 'holiday.zip' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download' }).first()).toBeVisible()

  await page.getByRole('link', { name: 'Archives', exact: true }).first().tap()
  await page.getByRole('button', { name: 'Actions for holiday.zip' }).tap()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).tap(),
  ])
  expect(download.suggestedFilename()).toBe('holiday.zip')
  // A touch that closes a menu must not also press what is below the menu.
  await page.getByRole('button', { name: 'Actions for holiday.zip' }).tap()
  await page.getByRole('menuitem', { name: 'Delete' }).tap()
  await page.getByRole('button', { name: 'Undo' }).tap()
  await expect(page.getByRole('heading', { name: 'Archives' })).toBeVisible()
  await page.getByRole('link', { name: 'Failed' }).tap()
  await expect(page.getByRole('heading', { name: 'No failed archives' })).toBeVisible()

  await page.getByRole('link', { name: 'Keys' }).tap()
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await page.getByRole('button', { name: 'Create key' }).tap()
  await expect(page.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await page.getByRole('button', { name: 'Account and settings' }).tap()
  await page.getByRole('menuitem', { name: 'Account' }).tap()
  await expect(page.getByRole('region', { name: 'Storage use' })).toContainText('holiday.zip')
})

test('At 320 px, the words of the menu are whole', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(await holdall.signInLink())
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Archives' })).toBeVisible()
  const lines = await page.evaluate(`(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('nav a[href="/archives"]'))
    return range.getClientRects().length
  })()`)
  expect(lines).toBe(1)
  for (const name of ['New', 'Archives', 'Keys'])
    await expect(page.getByRole('navigation').getByRole('link', { name })).toBeInViewport({ ratio: 1 })
  const nav = await page
    .getByRole('navigation')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
  expect(nav.scrollWidth).toBe(nav.clientWidth)
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})
