import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type BrowserRequest, copyAsCurlForBash, copyAsCurlForCmd } from '../../support/copy-as-curl.ts'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { LOGINS } from '../../support/origin/login-routes.ts'
import { sha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const origin = forFile(await startOrigin('0.0.0.0'))
const otherPort = forFile(await startOrigin())

/** What browsers send with every request. */
const BROWSER_HEADERS = {
  Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.9',
  'Sec-Fetch-Mode': 'navigate',
  'User-Agent': `Mozilla/5.0 (it's "a" browser!) 100%`,
  'sec-ch-ua': '"Chromium";v="130", "Not?A_Brand";v="99"',
}

describe('what a browser copies from behind a login is packed', () => {
  test.each([
    ['a form with a session cookie', '/members/report.pdf', () => session()],
    ['Basic', '/basic/report.pdf', async () => ({ Authorization: `Basic ${basic()}` })],
    ['a bearer token', '/bearer/report.pdf', async () => ({ Authorization: `Bearer ${LOGINS.token}` })],
    ['an API key', '/api-key/report.pdf', async () => ({ 'X-API-Key': LOGINS.apiKey })],
    ['a shared link with a password', '/share/Xy7/download/report.pdf', () => shareCookie('Xy7')],
  ])('%s', async (_, path, login) => {
    const request = { url: origin.url(path), headers: { ...BROWSER_HEADERS, ...(await login()) } }
    for (const copied of [copyAsCurlForBash(request), copyAsCurlForCmd(request)]) {
      using dir = tempDir()
      writeFileSync(dir.file('copied.txt'), copied)
      expect(await zip(dir, ['--curl', 'copied.txt'])).toEqual({ exitCode: 0, stderr: expect.any(String) })
      await expectFile(dir, 'report.pdf', path)
      const { headers } = origin.requests(path).at(-1) ?? {}
      expect(headers?.get('user-agent')).toBe(BROWSER_HEADERS['User-Agent'])
      expect(headers?.get('accept-encoding')).toBe('identity')
    }
    expect((await withoutLogin(request)).exitCode).toBe(isRedirected(path) ? 0 : 1)
  })

  test('several commands from standard input, each with its own headers, beside URLs without', async () => {
    using dir = tempDir()
    const one = { url: origin.url('/ok/one'), headers: { 'X-Secret': 'one-s3cret' } }
    const two = { url: origin.url('/ok/two'), headers: { 'X-Secret': 'two-s3cret' } }
    const copied = `${copyAsCurlForBash(one)} ;\n${copyAsCurlForBash(two)}`
    const urls = [origin.url('/ok/three'), otherPort.url('/ok/four')]
    expect((await zip(dir, ['--curl', '-', ...urls], { stdin: copied })).exitCode).toBe(0)
    const sent = ['/ok/one', '/ok/two', '/ok/three'].map((path) => lastHeader(path, 'x-secret'))
    expect(sent).toEqual(['one-s3cret', 'two-s3cret', null])
    expect(otherPort.requests('/ok/four').at(-1)?.headers.get('x-secret')).toBeNull()
  })
})

describe('-H', () => {
  test("goes to the origins of the list's URLs alone, also from a file", async () => {
    using dir = tempDir()
    const to = encodeURIComponent(otherPort.url('/ok/redirected'))
    writeFileSync(dir.file('headers.txt'), `Authorization: Bearer ${LOGINS.token}\r\n\r\nX-Other: a:b\r\n`)
    const urls = [origin.url('/bearer/a.pdf'), origin.url(`/redirect/1?to=${to}`)]
    const { exitCode } = await zip(dir, ['-H', '@headers.txt', '-H', `X-API-Key: ${LOGINS.apiKey}`, ...urls])
    expect(exitCode).toBe(0)
    expect(lastHeader('/bearer/a.pdf', 'x-other')).toBe('a:b')
    expect(lastHeader('/bearer/a.pdf', 'x-api-key')).toBe(LOGINS.apiKey)
    const redirected = otherPort.requests('/ok/redirected').at(-1)?.headers
    expect([redirected?.get('authorization'), redirected?.get('x-api-key')]).toEqual([null, null])
  })

  test('user:password@ of a URL goes before it', async () => {
    using dir = tempDir()
    const url = origin.url('/basic/a.pdf').replace('//', `//${LOGINS.username}:${LOGINS.password}@`)
    expect((await zip(dir, ['--header', 'Authorization: Bearer wrong', url])).exitCode).toBe(0)
  })

  test.each([
    ['no colon', ['-H', 's3cret'], "-H: expected 'Name: value', or @FILE with one per line"],
    ['no value', ['-H', 'Accept:'], "-H: expected 'Name: value', or @FILE with one per line"],
    [
      'a name of Holdall',
      ['-H', 'Host: s3cret'],
      '-H: the name must not be a header that Holdall sets itself',
    ],
    [
      'a name with a space',
      ['-H', 'a b: s3cret'],
      '-H: the name must be the name of a header, such as Authorization',
    ],
    [
      'a line break',
      ['-H', 'A: s3cret\nB: c'],
      '-H: the value of A must contain printable ASCII characters only',
    ],
    ['a name twice', ['-H', 'A: s3cret', '-H', 'a: c'], '-H: expected a once'],
    [
      'a file that is not there',
      ['-H', '@nothing'],
      '-H: expected a file that can be read, or - for standard input',
    ],
    ['standard input twice', ['-H', '@-', '--curl', '-'], 'Expected - (standard input) once.'],
    [
      'no cookies.txt',
      ['--cookies', 'wrong.txt'],
      '--cookies: the file (line 1) is not a valid cookies.txt line. Export the cookies in the Netscape format.',
    ],
    [
      'no .netrc',
      ['--netrc-file', 'wrong.txt'],
      '--netrc-file: the file (line 1) is not a valid .netrc line. Put a password with spaces in quotes.',
    ],
    [
      'no .netrc at home',
      ['--netrc'],
      '--netrc: there is no .netrc in the home directory. Name another file with --netrc-file.',
    ],
    [
      'no command',
      ['--curl', 'wrong.txt'],
      '--curl: the file has something else than curl commands. Remove it, and put each URL in quotation marks.',
    ],
    [
      'a command that sends data',
      ['--curl', 'post.txt'],
      '--curl: the file has the option -d, which sends data. Holdall only fetches files, with GET.',
    ],
  ])('wrong usage is refused in one line without the secret: %s', async (_, args, message) => {
    using dir = tempDir()
    writeFileSync(dir.file('wrong.txt'), 'some s3cret words\n')
    writeFileSync(dir.file('post.txt'), `curl 'https://a.test/' -d 's3cret'`)
    expect(await zip(dir, [...args, origin.url('/ok')], { stdin: '' })).toEqual({
      exitCode: 2,
      stderr: `holdall: ${message}\n`,
    })
  })
})

describe('--cookies', () => {
  test('are sent according to domain, path, Secure flag and expiry date, on each hop', async () => {
    using dir = tempDir()
    const day = Math.floor(Date.now() / 1000) + 86_400
    const lines = [
      '# Netscape HTTP Cookie File',
      `#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t${day}\tsession\t${LOGINS.session}`,
      `127.0.0.1\tFALSE\t/members\tFALSE\t0\tpath\tyes`,
      `127.0.0.1\tFALSE\t/other\tFALSE\t${day}\tpath\tno`,
      `127.0.0.1\tFALSE\t/\tTRUE\t${day}\tsecure\tno`,
      `127.0.0.1\tFALSE\t/\tFALSE\t1000\texpired\tno`,
      `example.org\tTRUE\t/\tFALSE\t${day}\tdomain\tno`,
    ]
    writeFileSync(dir.file('cookies.txt'), lines.join('\n'))
    const url = origin.url('/redirect/1?to=/members/a.pdf')
    expect((await zip(dir, ['--cookies', 'cookies.txt', url])).exitCode).toBe(0)
    await expectFile(dir, '1.pdf', '/members/a.pdf')
    expect(lastHeader('/members/a.pdf', 'cookie')).toBe(`path=yes; session=${LOGINS.session}`)
    expect(lastHeader('/redirect/1', 'cookie')).toBe(`session=${LOGINS.session}`)
  })
})

describe('--netrc', () => {
  const netrc = `machine 127.0.0.1 login ${LOGINS.username} password ${LOGINS.password}\n`

  test('signs in to the hosts that it names, and to no other', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('.netrc'), netrc)
    const elsewhere = origin.urlAtHost(1, '/ok/elsewhere')
    const { exitCode } = await zip(dir, ['--netrc', origin.url('/basic/a.pdf'), elsewhere], {
      env: { HOME: dir.path },
    })
    expect(exitCode).toBe(0)
    expect(lastHeader('/ok/elsewhere', 'authorization')).toBeNull()
    expect((await zip(dir, ['--netrc-file', '.netrc', origin.url('/basic/b.pdf')])).exitCode).toBe(0)
  })
})

test('a source that refuses access says what to do', async () => {
  using dir = tempDir()
  expect((await zip(dir, [origin.url('/basic/a.pdf')])).stderr).toContain(
    'A source refused access. To sign in, use -H, --cookies, --netrc or --curl: see holdall --help.\n',
  )
  expect((await zip(dir, ['-H', 'Authorization: wrong', origin.url('/basic/a.pdf')])).stderr).toContain(
    'A source refused access. The login may have expired, or be for another address.\n',
  )
})

test('the same command continues, and nothing that it leaves behind has the secret', async () => {
  using dir = tempDir()
  writeFileSync(dir.file('.netrc'), `machine 127.0.0.1 login ${LOGINS.username} password ${LOGINS.password}`)
  const wanted = origin.url('/basic/kept.pdf')
  const missing = `${origin.url('/bytes/1000/b.bin')}?fail=9&fail_status=404`
  const args = ['--netrc-file', '.netrc', '-H', `X-API-Key: ${LOGINS.apiKey}`, wanted, missing]
  const failed = await zip(dir, args)
  expect(failed.exitCode).toBe(1)
  expect(failed.stderr).not.toContain('s3cret')
  expect(readFileSync(dir.file('archive.zip.part.json'), 'latin1')).not.toContain('s3cret')
  const asked = origin.requests('/basic/kept.pdf').length
  const { exitCode } = await zip(dir, [...args.slice(0, -1), missing, '--keep-going', '--remember'])
  expect(exitCode).toBe(0)
  expect(origin.requests('/basic/kept.pdf')).toHaveLength(asked)
  const left = readdirSync(dir.path, { withFileTypes: true }).filter((file) => file.isFile())
  expect(left.map(({ name }) => name).toSorted()).toEqual([
    '.netrc',
    'archive.zip',
    'archive.zip.sources.json',
  ])
  for (const { name } of left.filter(({ name }) => name !== '.netrc'))
    expect(readFileSync(dir.file(name), 'latin1')).not.toContain('s3cret')
})

async function zip(
  dir: TempDir,
  args: readonly string[],
  { stdin, env = {} }: { stdin?: string; env?: Readonly<Record<string, string>> } = {},
) {
  const { exitCode, stderr } = await runCommand(['zip', ...args], {
    cwd: dir.path,
    env: { HOME: dir.path, HOLDALL_ALLOW_NETWORK: '127.0.0.0/8', ...env },
    ...(stdin !== undefined && { stdin }),
  })
  return { exitCode, stderr }
}

/** The archive of the same URL without the login: none, or the page to sign in. */
async function withoutLogin({ url }: BrowserRequest) {
  using dir = tempDir()
  return await zip(dir, [url])
}

function isRedirected(path: string): boolean {
  return path.startsWith('/members') || path.startsWith('/share')
}

/** The files of these sources have their paths as their texts. */
async function expectFile(dir: TempDir, name: string, path: string): Promise<void> {
  const entry = { name, sha256: sha256(path) }
  expect(await readZip(dir.file('archive.zip'))).toMatchObject([entry])
}

function lastHeader(path: string, name: string): string | null {
  return origin.requests(path).at(-1)?.headers.get(name) ?? null
}

function basic(): string {
  return btoa(`${LOGINS.username}:${LOGINS.password}`)
}

/** Signs in by the form, as a browser does. */
async function session(): Promise<Record<string, string>> {
  const form = { user: LOGINS.username, password: LOGINS.password }
  return { Cookie: `theme=dark; ${await cookieSetBy(origin.url('/sign-in?next=/'), form)}` }
}

async function shareCookie(token: string): Promise<Record<string, string>> {
  const url = origin.url(`/share/${token}/authenticate`)
  return { Cookie: await cookieSetBy(url, { password: LOGINS.sharePassword }) }
}

async function cookieSetBy(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
