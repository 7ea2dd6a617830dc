import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { type Sources, startSources } from '../support/sources.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { fileRows, linkBox } from './link-steps.ts'
import { signInByKey } from './sign-in-steps.ts'

test('Links are handed over by an address, by the share menu of a phone and by the bookmark, also before signing in', async ({
  page,
  holdall,
  context,
  browserErrors,
}) => {
  // A page of another origin, without an icon.
  browserErrors.allow(failedRequest('404'))
  await using origin = await startOrigin()
  const urls = [origin.url('/bytes/100/a.bin'), origin.url('/bytes/100/b.bin?x=1+2')]
  await page.goto(`${holdall.address}/#urls=${encodeURIComponent(urls.join('\n'))}`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(`${holdall.address}/sign-in`)
  const client = await signInByKey(page, holdall)
  await page.getByLabel('Or paste a link or an API key').fill(client.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(fileRows(page)).toHaveCount(2)
  await expect(page).toHaveURL(`${holdall.address}/`)

  // A reload adds nothing. Another address in the same tab does, encoded or not.
  await page.reload()
  await expect(fileRows(page)).toHaveCount(2)
  await page.evaluate(`location.hash = '#urls=${origin.url('/bytes/100/c.bin?x=1+2')}'`)
  await expect(fileRows(page)).toHaveCount(3)

  const manifest = await installedManifest(page)
  const { action, method, params } = manifest.share_target
  expect([method, params.text, params.url]).toEqual(['GET', 'text', 'url'])
  const shared = new URL(action, holdall.address)
  shared.searchParams.set(params.text, `A film worth seeing: ${origin.url('/bytes/100/d.mp4')}`)
  await page.goto(shared.href)
  await expect(fileRows(page)).toHaveCount(4)
  await expect(page).toHaveURL(`${holdall.address}/`)

  // The bookmark, on a page of another origin.
  await page.goto(`${holdall.address}/add-to-browser`)
  const bookmark = page.getByRole('link', { name: 'Send to Holdall' })
  const script = decodeURIComponent(new URL((await bookmark.getAttribute('href')) ?? '').pathname)
  const other = await context.newPage()
  await other.goto(origin.url('/status/200'))
  await other.setContent(`<a href="${urls[0]}">a</a><p>Text</p><a href="/bytes/100/e.bin">e</a>`)
  const [opened] = await Promise.all([context.waitForEvent('page'), other.evaluate(script)])
  await expect(fileRows(opened)).toHaveCount(6)
  await expect(linkBox(opened)).toBeHidden()
})

test('The interface can be installed: its manifest is valid, and its icons have the size that it says', async ({
  page,
  holdall,
}) => {
  await page.goto(holdall.address)
  const manifest = await installedManifest(page)
  expect(manifest).toMatchObject({ name: 'Holdall', start_url: '/', scope: '/', display: 'standalone' })
  const icons: { src: string; sizes: string; type: string; purpose?: string }[] = manifest.icons
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes, type } of icons) {
    const response = await fetch(holdall.address + src)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    const size = await page.evaluate(`new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight)
      image.src = ${JSON.stringify(src)}
    })`)
    expect(size).toBe(sizes)
  }
  // Chromium's own check. It needs no service worker.
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  const errors = installabilityErrors.map(({ errorId }) => errorId)
  expect(errors.filter((error) => error !== 'in-incognito')).toEqual([])
})

test('The tab tells percent and end in its title and icon, and a hidden one notifies, after it has asked once', async ({
  page,
  holdall,
}) => {
  // The browser's own notifications can't be read, so the page gets a substitute that keeps them.
  await page.addInitScript(`
    window.shown = []
    window.Notification = class {
      static permission = 'default'
      static async requestPermission() { Notification.permission = 'granted' }
      constructor(title, options) { shown.push([title, options.body]) }
    }
    Object.defineProperty(document, 'visibilityState', { get: () => window.isHidden ? 'hidden' : 'visible' })
  `)
  const client = await signInByKey(page, holdall)
  const create = (sources: Sources, name: string) =>
    client.createJob({ urls: [sources.url('/ok/a.txt'), sources.url('/slow')], zip_filename: name })

  await using early = startSources()
  const first = await create(early, 'first')
  await page.goto(`${holdall.address}/archives/${first}`)
  await expect(page).toHaveTitle('50% first.zip · Holdall')
  const icon = page.locator('link[rel="icon"]')
  await expect(icon).toHaveAttribute('href', /running-50/)
  early.release()
  await expect(page).toHaveTitle('✓ first.zip · Holdall')
  await expect(icon).toHaveAttribute('href', /ready/)
  await page.getByRole('button', { name: 'Notify me' }).click()
  await expect.poll(() => page.evaluate('Notification.permission')).toBe('granted')

  await page.getByRole('link', { name: 'Archives', exact: true }).first().click()
  await expect(icon).toHaveAttribute('href', /bag/)
  await page.evaluate('window.isHidden = true')
  await using late = startSources()
  const second = await create(late, 'second')
  await expect(page.getByRole('listitem').filter({ hasText: 'second.zip' })).toContainText('Running')
  late.release()
  await client.untilEnded(second)
  await expect
    .poll(() => page.evaluate('shown'))
    .toEqual([['Ready: second.zip', expect.stringContaining('2 files')]])
  await expect(page.getByRole('button', { name: 'Notify me' })).toBeHidden()
})

async function installedManifest(page: Page) {
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const response = await fetch(new URL(href ?? '', page.url()))
  expect(response.headers.get('content-type')).toContain('manifest')
  return JSON.parse(await response.text())
}
