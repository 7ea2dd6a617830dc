import { expect, type Page } from 'playwright/test'
import { startOrigin } from '../support/origin.ts'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
import { createdJob, dropFile, expectNames, packButton, pasteLinks, typeLinks } from './link-steps.ts'
import { pageOverflowPx } from './page-overflow.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

const A = 'https://a.test/report.pdf'

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Archive name' })

test('A new archive has its name in the open: the subject of the e-mail, until a person types another', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  await expect(nameField(page)).toBeHidden()
  await pasteLinks(page, `From: Ann <ann@a.test>\nSubject: Fwd: Slides for Monday\nTo: Tom\n\n${A}`)
  await expect(nameField(page)).toHaveValue('Slides for Monday')
  await nameField(page).fill('Slides')
  await page.reload()
  await expect(nameField(page)).toHaveValue('Slides')
  // Taking back a removal takes back no name.
  await page.getByRole('button', { name: 'Remove report.pdf' }).click()
  await page.getByRole('heading', { name: 'New archive' }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expectNames(page, ['report.pdf'])
  await expect(nameField(page)).toHaveValue('Slides')
  await nameField(page).fill('')
  await nameField(page).blur()
  await expect(nameField(page)).toHaveValue('Slides for Monday')
  await nameField(page).fill('x')
  await nameField(page).press('Escape')
  await expect(nameField(page)).toHaveValue('Slides for Monday')
  const job = await createdJob(page, () => packButton(page).click())
  expect(job.zip_filename).toBe('Slides for Monday')
})

test('A dropped list, a saved e-mail, a saved page and a copied page name the archive', async ({
  page,
  holdall,
}) => {
  await signInByLink(page, holdall)
  const mail = `From: Ann <ann@a.test>\r\nSubject: =?UTF-8?Q?F=C3=BCr_morgen?=\r\n\r\nSee ${A}`
  for (const [file, content, title] of [
    ['links.txt', `${A}\nhttps://a.test/2`, 'links'],
    ['message.eml', mail, 'Für morgen'],
    ['page.html', `<title>All reports</title><a href="${A}">x</a>`, 'All reports'],
  ] as const) {
    await dropFile(page, 'main', file, content)
    await expect(nameField(page)).toHaveValue(title)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(nameField(page)).toBeHidden()
  }
  await pasteLinks(page, 'Minutes\nmore', `<h1>Minutes</h1><a href="${A}">more</a> <a href="${A}?2">more</a>`)
  await expect(nameField(page)).toHaveValue('Minutes')
})

test('Links that tell no title are named by their host and the date', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await typeLinks(page, A)
  await expect(nameField(page)).toHaveValue(/^a\.test \d{4}-\d\d-\d\d$/)
})

test('All links of a page take the title of the page', async ({ page, holdall }) => {
  await using site = startSite({ '/r': '<title>Annual reports</title><a href="1.pdf">One</a>' })
  await signInByLink(page, holdall)
  await pasteLinks(page, site.url('/r'))
  await page.getByRole('button', { name: 'Look inside' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add 1 file' }).click()
  await expect(nameField(page)).toHaveValue('Annual reports')
})

test('A proposed name that repeats that of an earlier archive is numbered, also when packed at once', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  const urls = [origin.url('/bytes/100/a.bin')]
  for (const zip_filename of ['links', 'links (2)', 'links of Ann'])
    await client.untilEnded(await client.createJob({ urls, zip_filename }))
  await page.goto(holdall.address)
  await dropFile(page, 'main', 'links.txt', urls.join('\n'))
  const job = await createdJob(page, async () => {
    await expect(packButton(page)).toBeVisible()
    await page.keyboard.press('Control+Enter')
  })
  expect(job.zip_filename).toBe('links (3)')
  await expect(page.getByRole('heading', { name: 'links (3).zip' })).toBeVisible()
})

test('At 320 px a long name stays in the window', async ({ page, holdall }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signInByLink(page, holdall)
  await dropFile(page, 'main', `${'a long name of a list '.repeat(4)}.txt`, A)
  await expect(nameField(page)).toBeVisible()
  expect(await pageOverflowPx(page)).toBeLessThanOrEqual(0)
})

test('On the first start, an example shows what Holdall does', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await page.getByRole('button', { name: 'Try an example' }).click()
  await expectNames(page, ['rfc9110.txt', 'rfc9110.pdf', 'rfc9110.html', 'rfc3986.txt', 'rfc6266.txt'])
  await expect(nameField(page)).toHaveValue('How the web works')
  await expect(page.getByRole('button', { name: 'Try an example' })).toBeHidden()
})
