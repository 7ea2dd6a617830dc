import { expect } from 'playwright/test'
import { signInOwner } from '../support/client.ts'
import { test } from './browser-test.ts'
import { copiedBy } from './clipboard.ts'
import { pageOverflowPx, setWidth } from './page-overflow.ts'
import { stopClock } from './page-polling.ts'

const PATHS = [
  '/docs',
  '/docs/reference',
  '/docs/reference/jobs',
  '/docs/reference/schemas',
  '/docs/reference/errors',
  '/docs/reference/settings',
  '/docs/using-holdall',
  '/docs/running-on-a-server',
  '/docs/moving-from-eazip',
]

test('The menu opens the documentation, which leads back to the app', async ({ page, context, holdall }) => {
  await page.goto(holdall.address)
  await page.getByRole('button', { name: 'Account and settings' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  const docs = await opened
  await expect(docs.getByRole('heading', { level: 1, name: 'A first call' })).toBeVisible()
  await docs.getByRole('link', { name: 'Running on a server' }).click()
  await expect(docs.getByRole('heading', { level: 1, name: 'Running on a server' })).toBeVisible()
  await docs.getByRole('link', { name: 'Open the app' }).click()
  await expect(docs.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('Operations, fields and settings are found on any page, by keyboard', async ({ page, holdall }) => {
  await page.goto(`${holdall.address}/docs/moving-from-eazip`)
  const search = page.getByRole('searchbox', { name: 'Search' })
  const results = page.locator('.search li a')
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('zip_filename create')
  await expect(results.first()).toHaveText(/zip_filename.*Create a job/)
  await expect(page.getByRole('status')).toHaveText(/^\d+ found/)

  await search.fill('cancel a job')
  await expect(results.first()).toHaveText(/^Cancel a job/)
  await search.fill('limit-rate')
  await expect(results.first()).toHaveText(/^--limit-rate RATE/)
  await search.fill('no such words')
  await expect(page.getByRole('status')).toHaveText('Nothing found')
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await expect(page.locator('.contents details')).toBeVisible()

  await search.fill('quota_exceeded')
  await expect(results.first()).toHaveText(/^QUOTA_EXCEEDED/)
  await page.keyboard.press('ArrowDown')
  await expect(results.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/reference\/errors#QUOTA_EXCEEDED$/)
  await expect(page.locator('tr:target')).toBeInViewport()
})

test.describe('The key of a browser', () => {
  test('is in the calls when signed in: hidden, shown on demand, and copied with them', async ({
    page,
    context,
    holdall,
  }) => {
    const { key } = await signInOwner(holdall)
    await page.goto(`${holdall.address}/docs`)
    await expect(page.getByText('It needs an API key')).toBeVisible()
    await page.evaluate(`localStorage.setItem('holdall.key', '${key}')`)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.reload()
    await expect(page.getByText('It needs an API key')).toBeHidden()
    await expect(page.getByRole('tabpanel')).toContainText('export KEY=hold_••••••••')
    expect(await page.content()).not.toContain(key)

    // The button says so for two seconds, and its page has a clock that stands.
    await page.clock.install()
    await stopClock(page)
    const button = page.getByRole('tabpanel').getByRole('button', { name: 'Copy' })
    const copied = await copiedBy(page, () => button.click())
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(copied).toContain(`export KEY=${key}\n`)
    expect(copied).toContain(`${holdall.address}/jobs `)
    expect(await page.content()).not.toContain(key)
    await page.getByRole('tabpanel').locator('code').selectText()
    expect(await copiedBy(page, () => page.keyboard.press('Control+c'))).toContain(`export KEY=${key}\n`)

    await page.getByRole('button', { name: 'Show key' }).click()
    await expect(page.getByRole('tabpanel')).toContainText(`export KEY=${key}`)
    await page.getByRole('button', { name: 'Show key' }).click()
    expect(await page.content()).not.toContain(key)
    expect(requested.filter((url) => url.includes(key))).toEqual([])

    await page.goto(`${holdall.address}/docs/reference/jobs#listJobs`)
    await expect(page.locator('#listJobs pre').first()).toContainText('Bearer hold_••••••••')
    const other = await context.newPage()
    await other.goto(`${holdall.address}/docs`)
    await other.evaluate(`localStorage.removeItem('holdall.key')`)
    await expect(page.locator('#listJobs pre').first()).toContainText('Bearer $KEY')
  })
})

test('The chosen language stays, and arrows change it', async ({ page, holdall }) => {
  await page.goto(`${holdall.address}/docs`)
  const tab = (name: string) => page.getByRole('tab', { name })
  await expect(tab('curl')).toHaveAttribute('aria-selected', 'true')
  await tab('curl').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tab('Python')).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: 'Python' })).toContainText('urllib.request')
  await expect(page.getByRole('tabpanel')).toHaveCount(1)
  await page.reload()
  await expect(tab('Python')).toHaveAttribute('aria-selected', 'true')

  // On paper, all are there.
  await page.emulateMedia({ media: 'print' })
  for (const name of ['curl', 'JavaScript', 'Python'])
    await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('Without scripts, the languages are one below the other, and no control does nothing', async ({
  browser,
  holdall,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${holdall.address}/docs`)
  for (const name of ['curl', 'JavaScript', 'Python'])
    await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
  await expect(page.getByText('export KEY=$(dist/holdall key create')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  await page.getByRole('link', { name: 'Reference', exact: true }).click()
  await page.getByRole('link', { name: 'Create a job' }).click()
  await expect(page).toHaveURL(/\/docs\/reference\/jobs#createJob$/)
  await context.close()
})

test('The pages of the documentation are never wider than the window', async ({ page, holdall }) => {
  for (const path of PATHS) {
    await page.goto(`${holdall.address}${path}`)
    for (const width of [320, 960, 1_024, 1_280, 1_920]) {
      await setWidth(page, width)
      expect({ path, width, overflowPx: await pageOverflowPx(page) }).toMatchObject({ overflowPx: 0 })
    }
  }
})
