import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { copyAsCurlForBash } from '../../support/copy-as-curl.ts'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

/** A directory with a folder, for those who have one of these headers. */
const guarded = forFile(
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url, headers }) {
      const accepted = [
        headers.get('authorization') === 'Bearer s3cret',
        headers.get('authorization') === `Basic ${btoa('maria:s3cret')}`,
        headers.get('cookie') === 'session=s3cret',
      ]
      if (!accepted.includes(true)) return new Response('', { status: 401 })
      const listing = url.endsWith('/sub/') ? '<a href="b.txt">b.txt</a>' : '<a href="sub/">sub/</a>'
      return new Response(`<title>Index of /</title>${listing}`, { headers: { 'content-type': 'text/html' } })
    },
  }),
)
const URL_OF_PAGE = guarded.url.href
const FOUND = { exitCode: 0, stderr: '', stdout: `${guarded.url.href}sub/b.txt\n` }

test.each([
  ['-H', ['-H', 'Authorization: Bearer s3cret', URL_OF_PAGE]],
  ['--cookies', ['--cookies', 'cookies.txt', URL_OF_PAGE]],
  ['--netrc', ['--netrc', URL_OF_PAGE]],
  ['--netrc-file', ['--netrc-file', '.netrc', URL_OF_PAGE]],
  ['--curl, which names the page', ['--curl', 'copied.txt']],
  ['--curl beside the same page', ['--curl', 'copied.txt', URL_OF_PAGE]],
])('holdall links signs in to a page and its folders with %s', async (_, args) => {
  using dir = withLogins()
  expect(await links(dir, [...args, '--folders'])).toEqual(FOUND)
})

test.each([
  [[URL_OF_PAGE], 'To sign in, use -H, --cookies, --netrc or --curl: see holdall --help.'],
  [['-H', 'Authorization: s3cret', URL_OF_PAGE], 'The login may have expired, or be for another address.'],
])('a page that refuses access says what to do (%#)', async (args, remedy) => {
  using dir = withLogins()
  const stderr = `holdall: The page can't be fetched: HTTP 401. ${remedy}\n`
  expect(await links(dir, args)).toEqual({ exitCode: 1, stderr, stdout: '' })
})

test('a copied command for another page is wrong usage', async () => {
  using dir = withLogins()
  expect(await links(dir, ['--curl', 'copied.txt', `${URL_OF_PAGE}other`])).toEqual({
    exitCode: 2,
    stderr: 'holdall: Expected one URL, or --curl FILE with a command for one.\n',
    stdout: '',
  })
})

function withLogins(): TempDir {
  const dir = tempDir()
  writeFileSync(dir.file('cookies.txt'), '127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n')
  writeFileSync(dir.file('.netrc'), 'machine 127.0.0.1 login maria password s3cret\n')
  const headers = { Cookie: 'session=s3cret', Accept: 'text/html' }
  writeFileSync(dir.file('copied.txt'), copyAsCurlForBash({ url: URL_OF_PAGE, headers }))
  return dir
}

async function links(dir: TempDir, args: readonly string[]) {
  return await runCommand(['links', ...args], {
    cwd: dir.path,
    env: { HOME: dir.path, HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' },
  })
}
