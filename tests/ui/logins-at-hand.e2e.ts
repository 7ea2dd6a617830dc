import { expect, type Page } from 'playwright/test'
import { copyAsCurlForBash, copyAsCurlForCmd } from '../support/copy-as-curl.ts'
import { LOGINS } from '../support/origin/login-routes.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { failedRequest } from './browser-errors.ts'
import { test } from './browser-test.ts'
import { dropFile, expectNames, linkBox, packButton, pasteLinks, typeLinks } from './link-steps.ts'
import { signInByKey, signInByLink } from './sign-in-steps.ts'

for (const [name, path, login] of [
  ['a form', '/members/report.pdf', signInByForm],
  ['a shared link with a password', '/share/Xy7/download/report.pdf', openSharedLink],
] as const) {
  test(`What the browser copies behind ${name} is pasted and packed`, async ({
    page,
    holdall,
    otherBrowser,
  }) => {
    await using origin = await startOrigin()
    const client = await signInByKey(page, holdall)
    const headers = await login(otherBrowser, origin, path)
    await page.goto(holdall.address)
    await pasteLinks(page, copyAsCurlForBash({ url: origin.url(path), headers }))
    await expectNames(page, ['report.pdf'])
    await expect(question(page)).toHaveText(/^A login for 127\.0\.0\.1:\d+: Cookie, Referer, User-Agent/)
    await expect(page.getByRole('radio', { name: 'Use for this archive' })).toBeChecked()
    await packButton(page).click()
    await expect(downloadLink(page)).toBeVisible()
    expect(origin.requests(path).at(-1)?.headers.get('cookie')).toContain('s3cret')
    const jobs = await (await client.request('GET', '/jobs')).text()
    expect(jobs).toContain('"completed"')
    expect(jobs).not.toContain('s3cret')
    // It was for that archive alone.
    await page.goto(holdall.address)
    await typeLinks(page, origin.url(path))
    await expect(packButton(page)).toBeVisible()
    await expect(question(page)).toBeHidden()
  })
}

test('Basic, a token and an API key are pasted as commands, for the Command Prompt, too', async ({
  page,
  holdall,
}) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  const copied = [
    {
      url: origin.url('/basic/a.pdf'),
      headers: { Authorization: `Basic ${btoa(`${LOGINS.username}:${LOGINS.password}`)}` },
    },
    { url: origin.url('/bearer/b.pdf'), headers: { Authorization: `Bearer ${LOGINS.token}` } },
    { url: origin.url('/api-key/c.pdf'), headers: { 'X-API-Key': LOGINS.apiKey } },
  ]
  for (const request of copied) {
    await pasteLinks(page, copyAsCurlForCmd(request))
    await expect(question(page)).toContainText(Object.keys(request.headers)[0] ?? '')
    await packButton(page).click()
    await expect(downloadLink(page)).toBeVisible()
    await openNew(page)
  }
})

test('A login is saved for its site, and renewed by the next one', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  const client = await signInByKey(page, holdall)
  await page.goto(holdall.address)
  for (const token of ['old', LOGINS.token]) {
    const headers = { Authorization: `Bearer ${token}` }
    await pasteLinks(page, copyAsCurlForBash({ url: origin.url('/bearer/a.pdf'), headers }))
    await page.getByRole('radio', { name: /^Save for 127\.0\.0\.1:\d+$/ }).check()
    await packButton(page).click()
    await expect(page.getByRole('heading', { name: 'New archive' })).toBeHidden()
    await openNew(page)
  }
  const { sites }: { sites: unknown[] } = JSON.parse(await (await client.request('GET', '/sites')).text())
  expect(sites).toMatchObject([{ origin: new URL(origin.url('/')).origin, header_names: ['Authorization'] }])
  const id = await client.createJob({ urls: [origin.url('/bearer/again.pdf')] })
  expect((await client.untilEnded(id)).status).toBe('completed')
})

test('A login is left out, and the archive is created without it', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  await pasteLinks(page, copyAsCurlForBash({ url: origin.url('/ok/a'), headers: { 'X-Key': 's3cret' } }))
  await page.getByRole('radio', { name: 'Leave out' }).check()
  await packButton(page).click()
  await expect(downloadLink(page)).toBeVisible()
  expect(origin.requests('/ok/a').at(-1)?.headers.get('x-key')).toBeNull()
})

test('A dropped cookies.txt and .netrc sign in to the links of their hosts', async ({ page, holdall }) => {
  await using origin = await startOrigin()
  await signInByLink(page, holdall)
  await dropFile(
    page,
    'main',
    'cookies.txt',
    `# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t${LOGINS.session}\n`,
  )
  await expect(page.getByText('The logins are ready. Add links to their sites.')).toBeVisible()
  await dropFile(
    page,
    'main',
    '.netrc',
    `machine 127.0.0.1 login ${LOGINS.username} password ${LOGINS.password}\n`,
  )
  await pasteLinks(
    page,
    `${origin.url('/members/a.pdf')}\n${origin.url('/basic/b.pdf')}\nhttps://example.org/c.pdf`,
  )
  await expect(question(page)).toHaveText(/^A login for 127\.0\.0\.1:\d+: Cookie, Authorization/)
  await page.getByRole('button', { name: 'Remove c.pdf' }).click()
  await packButton(page).click()
  await expect(downloadLink(page)).toBeVisible()
  expect(origin.requests('/members/a.pdf').at(-1)?.headers.get('cookie')).toBe(`session=${LOGINS.session}`)
})

test('Values are shown nowhere, and saved nowhere in the browser', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  const copied = copyAsCurlForBash({ url: 'https://example.org/a.pdf', headers: { Cookie: 'a=s3cret' } })
  // Into the box while something is typed there, too.
  await typeLinks(page, 'https://example.org/typed.pdf')
  await linkBox(page).focus()
  await pasteLinks(page, copied)
  await expectNames(page, ['typed.pdf', 'a.pdf'])
  await expect(question(page)).toHaveText(/^A login for example\.org: Cookie/)
  const saved = () => page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')
  await expect.poll(saved).toContain('a.pdf')
  expect(await saved()).not.toContain('s3cret')
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await expect(linkBox(page)).toBeVisible()
  expect(await page.content()).not.toContain('s3cret')
  // A command that is typed stays in the page.
  await typeLinks(page, copied)
  await expect(page.getByText('1 link found')).toBeVisible()
  await page.evaluate(`dispatchEvent(new Event('pagehide'))`)
  expect(await saved()).not.toContain('s3cret')
  await page.reload()
  await expect(question(page)).toBeHidden()
})

test('What can’t be used is refused in words', async ({ page, holdall }) => {
  await signInByLink(page, holdall)
  await pasteLinks(page, `curl 'https://example.org/a.pdf' --data-raw 'a=s3cret'`)
  await expect(page.getByRole('alert')).toHaveText(
    'The curl command has the option --data-raw, which sends data. Holdall only fetches files, with GET.',
  )
  await expect(linkBox(page)).toBeVisible()
  await dropFile(page, 'main', 'cookies.txt', '# Netscape HTTP Cookie File\na.test\ts3cret\n')
  await expect(page.getByRole('alert')).toHaveText(
    'The cookies.txt (line 2) is not a valid cookies.txt line. Export the cookies in the Netscape format.',
  )
  await pasteLinks(page, `curl 'https://example.org/a.pdf' -H 'X-Key: s3cret'`)
  await expect(page.getByRole('alert')).toBeHidden()
  await expectNames(page, ['a.pdf'])
})

test('A login that the service refuses is told, and the archive is not created', async ({
  page,
  holdall,
  browserErrors,
}) => {
  browserErrors.allow(failedRequest('400'))
  await signInByLink(page, holdall)
  const long = 'a'.repeat(20_000)
  await pasteLinks(page, `curl 'https://example.org/a.pdf' -H 'X-Key: ${long}'`)
  await packButton(page).click()
  await expect(page.getByRole('alert')).toContainText('must have at most 16384 characters in all')
})

async function openNew(page: Page) {
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'New archive' })).toBeVisible()
}

function downloadLink(page: Page) {
  return page.getByRole('link', { name: 'Download', exact: true })
}

function question(page: Page) {
  return page.getByRole('group', { name: /^(?:A login|Headers) for / })
}

/** Signs in as a person does, and returns the headers with which the browser then fetches the file. */
async function signInByForm(page: Page, origin: Origin, path: string): Promise<Record<string, string>> {
  await page.goto(origin.url('/sign-in?next=/ok/welcome'))
  await page.getByLabel('User').fill(LOGINS.username)
  await page.getByLabel('Password').fill(LOGINS.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('ok')).toBeVisible()
  return await headersOfDownload(page, origin.url(path))
}

async function openSharedLink(page: Page, origin: Origin, path: string): Promise<Record<string, string>> {
  await page.goto(origin.url(path))
  await page.getByLabel('Password').fill(LOGINS.sharePassword)
  const request = page.waitForRequest((each) => each.url() === origin.url(path))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Open' }).click()
  const headers = await (await request).allHeaders()
  await (await download).cancel()
  return headers
}

/** What the browser sends when its user opens a file, which is a download. */
async function headersOfDownload(page: Page, url: string): Promise<Record<string, string>> {
  const request = page.waitForRequest((each) => each.url() === url)
  const download = page.waitForEvent('download')
  await page.evaluate(`location.href = ${JSON.stringify(url)}`)
  const headers = await (await request).allHeaders()
  await (await download).cancel()
  return headers
}
