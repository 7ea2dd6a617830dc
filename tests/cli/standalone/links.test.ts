import { expect, test } from 'bun:test'
import { forFile } from '../../support/for-file.ts'
import { resultOf, startCommand } from '../../support/holdall-command.ts'
import { startSite } from '../../support/site.ts'

const site = forFile(
  startSite({
    '/': '<a href="a/1.pdf">One</a><a href="b/2.pdf">Two</a><img src="logo.png"><a href="more">More</a>',
    '/app': '<div id=root></div><script src=a.js></script>',
    '/pub/': '<title>Index of /pub/</title><a href="sub/">sub/</a><a href="a.txt">a.txt</a>',
    '/pub/sub/': '<title>Index of /pub/sub/</title><a href="b.txt">b.txt</a>',
    '/file.pdf': { body: '%PDF', type: 'application/pdf' },
  }),
)

const links = (...args: readonly string[]) =>
  resultOf(startCommand(['links', ...args], { env: { HOLDALL_ALLOW_NETWORK: '127.0.0.0/8' } }))
const linesOf = (...paths: readonly string[]) => paths.map((path) => `${site.url(path)}\n`).join('')

test('holdall links prints one URL per line', async () => {
  expect(await links(site.url('/'))).toEqual({
    stdout: linesOf('/a/1.pdf', '/b/2.pdf', '/logo.png', '/more'),
    stderr: '',
    exitCode: 0,
  })
})

test('--kind and --match choose; the pattern is held against the URL', async () => {
  expect((await links(site.url('/'), '--kind', 'document')).stdout).toBe(linesOf('/a/1.pdf', '/b/2.pdf'))
  expect((await links(site.url('/'), '--kind', 'document', '--match', '*/B/*')).stdout).toBe(
    linesOf('/b/2.pdf'),
  )
})

test('--folders reads the folders of a listing', async () => {
  expect((await links(site.url('/pub/'), '--folders')).stdout).toBe(linesOf('/pub/sub/b.txt', '/pub/a.txt'))
})

test('a page that scripts build is told on stderr', async () => {
  const { stdout, stderr, exitCode } = await links(site.url('/app'))
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 })
  expect(stderr).toContain('Scripts seem to make this page')
})

test.each([
  [() => site.url('/gone'), "holdall: The page can't be fetched: HTTP 404.\n"],
  [() => site.url('/file.pdf'), 'holdall: It is a file (application/pdf) and no page.\n'],
  [
    () => 'http://10.0.0.1/',
    "holdall: The page can't be fetched: Address not allowed. Allow its network with --allow-network.\n",
  ],
])('a failure is one line, and ends with 1 (%#)', async (url, stderr) => {
  expect(await links(url())).toEqual({ stdout: '', stderr, exitCode: 1 })
})

test.each([[['ftp://x']], [['http://x/', '--kind', 'pdf']], [[]], [['http://x/', 'http://y/']]])(
  'wrong usage ends with 2: %p',
  async (args) => {
    expect((await links(...args)).exitCode).toBe(2)
  },
)
