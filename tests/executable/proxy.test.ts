import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { startProxy } from '../support/proxy.ts'
import { readZip } from '../support/read-zip.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned, signed } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

// Behind a company's proxy, with its certificate authority. Squid and tinyproxy: cli/real-proxies.test.ts.

setDefaultTimeout(60_000)

const LOGIN = 'ann:s3cret'
const dir = forFile(tempDir())
const origin = forFile(await startOrigin())
await selfSigned(dir, 'authority.test')
const secure = forFile(
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: await signed(dir, 'secure.test', 'authority.test', 1),
    fetch: ({ url }) =>
      url.endsWith('/page')
        ? new Response('<a href="/bytes/300000/b.bin?seed=2">b</a>', {
            headers: { 'content-type': 'text/html' },
          })
        : fetch(origin.url(url.slice(new URL(url).origin.length))),
  }),
)
const hosts = {
  'files.test:80': new URL(origin.url('/')).host,
  'secure.test:443': `127.0.0.1:${secure.port}`,
}
const proxy = forFile(await startProxy({ hosts, login: LOGIN, refused: { 'shut.test:443': 403 } }))
const SETTINGS = ['--proxy', `http://${LOGIN}@${proxy.host}`, '--ca', dir.file('authority.test.crt')]
const URLS = ['http://files.test/bytes/200000/a.bin?seed=1', 'https://secure.test/bytes/300000/b.bin?seed=2']
const ENTRIES = [
  { name: 'a.bin', sha256: expectedSha256(200_000, 1) },
  { name: 'b.bin', sha256: expectedSha256(300_000, 2) },
]

describe('The executable fetches through a proxy with a password, and trusts the authority of the company:', () => {
  test('a service', async () => {
    await using holdall = await startHoldall({ args: SETTINGS })
    const client = await signInOwner(holdall)
    const job = await client.untilEnded(await client.createJob({ urls: URLS }))
    expect(job).toMatchObject({ status: 'completed', file_count: 2 })
    if (job.download_url === undefined) throw new Error('there is no archive')
    await Bun.write(dir.file('service.zip'), await fetch(job.download_url))
    expect(await readZip(dir.file('service.zip'))).toMatchObject(ENTRIES)
    const page = await client.request('POST', '/links', { url: 'https://secure.test/page' })
    expect(await page.text()).toContain('"url":"https://secure.test/bytes/300000/b.bin?seed=2"')
    const refused = await client.createJob({ urls: ['https://shut.test/'] })
    expect((await client.untilEnded(refused)).errors).toMatchObject([{ error: 'Proxy refused' }])
    const problem = `the proxy http://${proxy.host} did not connect to a host (HTTP 403)`
    await until('the problem is logged', () => holdall.output().includes(problem))
    expect(holdall.output()).not.toContain('s3cret')
  })

  test('holdall zip and holdall links', async () => {
    expect(await run(['zip', '-o', dir.file('zip.zip'), ...SETTINGS, ...URLS])).toMatchObject({ exitCode: 0 })
    expect(await readZip(dir.file('zip.zip'))).toMatchObject(ENTRIES)
    expect(await run(['links', ...SETTINGS, 'https://secure.test/page'])).toEqual({
      stdout: 'https://secure.test/bytes/300000/b.bin?seed=2\n',
      stderr: '',
      exitCode: 0,
    })
  })

  test('by the variables that curl reads', async () => {
    const env = { https_proxy: `http://${LOGIN}@${proxy.host}`, HOLDALL_CA: dir.file('authority.test.crt') }
    const [, secured = ''] = URLS
    expect((await run(['zip', '-o', dir.file('env.zip'), secured], env)).exitCode).toBe(0)
  })
})

test('The executable says when the proxy is at fault', async () => {
  const gone = ['--proxy', 'http://127.0.0.1:1']
  for (const command of [['zip', '-o', dir.file('none.zip')], ['links']]) {
    const { stderr, exitCode } = await run([...command, ...gone, 'http://files.test/'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('The proxy http://127.0.0.1:1 cannot be reached (ECONNREFUSED).')
  }
})

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: dir.path, env: { PATH: process.env.PATH, HOME: dir.path, ...env } }
  return await resultOf(Bun.spawn([EXECUTABLE, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }))
}
