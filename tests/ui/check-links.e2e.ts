import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { test } from './browser-test.ts'
import { expectNames, pasteLinks } from './link-steps.ts'
import { signInByLink } from './sign-in-steps.ts'

const report = (page: Page) => page.getByRole('region', { name: 'Check of the links' })

test('Check links tells the size in all, dead links, pages instead of files, empty files and duplicates', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const paths = ['/files/report.pdf', '/status/404/a.pdf', '/page/b.pdf', '/empty/c.bin', '/files/report.pdf']
  await signInByLink(page, holdall)
  await pasteLinks(page, paths.map((path) => origin.url(path)).join('\n'))
  await page.getByRole('button', { name: 'Check links' }).click()
  await expect(report(page)).toContainText('5 links checked')
  await expect(report(page)).toContainText('in all')
  await expect(report(page).getByText('1 web page instead of a file')).toBeVisible()
  await expect(report(page).getByText('1 empty file')).toBeVisible()
  await expect(report(page).getByText('1 duplicate')).toBeVisible()
  await report(page).getByText('1 dead link').click()
  await expect(report(page)).toContainText('Not found (404)')
  await report(page).getByRole('button', { name: 'Remove 1 link' }).click()
  await expectNames(page, ['report.pdf', 'b.pdf', 'c.bin', 'report (2).pdf'])
  await expect(report(page).getByText('dead link')).toBeHidden()
})

test('5,000 links are checked in a stream, which can be stopped', async ({ page, holdall }) => {
  const stopped = Promise.withResolvers<void>()
  let requestCount = 0
  await using slow = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    async fetch() {
      if (++requestCount > 500) await stopped.promise
      return new Response('x')
    },
  })
  const links = Array.from(
    { length: 5000 },
    (_, at) => `http://127.9.0.${1 + (at % 50)}:${slow.port}/${at}.txt`,
  )
  await signInByLink(page, holdall)
  await pasteLinks(page, links.join('\n'))
  await page.getByRole('button', { name: 'Check links' }).click()
  await expect(report(page)).toContainText(/Checking: [1-9][\d,]* of 5,000 links/)
  // It is below the list, whose end is below the window.
  await expect(report(page).getByRole('button', { name: 'Stop' })).toBeInViewport()
  await report(page).getByRole('button', { name: 'Stop' }).click()
  await expect(report(page)).toContainText(/\d+ of 5,000 links checked/)
  stopped.resolve()
  await page.getByRole('button', { name: 'Check links' }).click()
  await expect(report(page)).toContainText(/^5,000 links checked/, { timeout: 120_000 })
  await expect(report(page)).toContainText('No problems found.')
})

test('A check offers to sign in to the sites that want it, and comes back to the links', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  await pasteLinks(page, [origin.url('/status/401/a.pdf'), origin.url('/status/404/b.pdf')].join('\n'))
  await page.getByRole('button', { name: 'Check links' }).click()
  await report(page)
    .getByRole('link', { name: `Sign in to ${new URL(origin.url('/')).host}` })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add site' })
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(new URL(origin.url('/')).origin)
  await dialog.getByRole('textbox', { name: 'User name' }).fill('ada')
  await dialog.getByLabel('Password').fill('secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectNames(page, ['a.pdf', 'b.pdf'])
})
