// test group: long
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commandProxies } from '../../../server/cli/sources/command-proxies.ts'
import { parseProxy, proxyAddress } from '../../../server/fetching/proxies/proxy.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { type Origin, startOrigin } from '../../support/origin.ts'
import { startProxy } from '../../support/proxy.ts'
import { tempDir } from '../../support/temp-dir.ts'

const dir = tempDir()
let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(async () => {
  await origin[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
})

describe('holdall zip takes the proxies of the environment, as curl does:', () => {
  const from = (env: Record<string, string>, flag: string | null = null, noProxy: string | null = null) => {
    const { http, https, exempt } = commandProxies(
      { proxy: flag === null ? null : parseProxy(flag), noProxy },
      env,
    )
    return [http, https].map((proxy) => (proxy === null ? null : proxyAddress(proxy))).concat(exempt)
  }

  test.each<[Record<string, string>, (string | null)[]]>([
    [{}, [null, null, '']],
    [{ http_proxy: 'http://a:1' }, ['http://a:1', null, '']],
    // A web server can set it from a request.
    [{ HTTP_PROXY: 'http://a:1' }, [null, null, '']],
    [{ https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, [null, 'http://a:1', '']],
    [{ HTTPS_PROXY: 'http://b:2' }, [null, 'http://b:2', '']],
    [{ all_proxy: 'a:1', ALL_PROXY: 'b:2' }, ['http://a:1', 'http://a:1', '']],
    [{ ALL_PROXY: 'b:2', https_proxy: 'https://c:3' }, ['http://b:2', 'https://c:3', '']],
    [{ http_proxy: '', ALL_PROXY: 'b:2' }, ['http://b:2', 'http://b:2', '']],
    [{ http_proxy: 'a', no_proxy: 'x', NO_PROXY: 'y' }, ['http://a:1080', null, 'x']],
    [{ NO_PROXY: 'y' }, [null, null, 'y']],
    [{ ALL_PROXY: 'socks5://a:1', NO_PROXY: '*' }, [null, null, '*']],
  ])('%j', (env, expected) => {
    expect(from(env)).toEqual(expected)
  })

  test('the settings go before them', () => {
    const env = { http_proxy: 'http://a:1', https_proxy: 'socks5://b:2', no_proxy: 'x' }
    expect(from(env, 'http://c:3')).toEqual(['http://c:3', 'http://c:3', 'x'])
    expect(from({ ...env, https_proxy: '' }, null, 'z')).toEqual(['http://a:1', null, 'z'])
  })

  test('a proxy that it cannot use is refused, so that nothing goes past it', () => {
    expect(() => from({ ALL_PROXY: 'socks5://a:1' })).toThrow(
      "ALL_PROXY: expected an http or https proxy. To fetch without it, add --no-proxy '*'.",
    )
  })
})

const zip = (output: string, args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(['zip', '-o', dir.file(output), '--allow-network', '127.0.0.0/8', ...args], { env })

test('the proxy of the environment is used, with its password, and --no-proxy ends that', async () => {
  const host = new URL(origin.url('/')).host
  await using proxy = await startProxy({ hosts: { 'files.test:80': host }, login: 'ann:s3cret' })
  const env = { http_proxy: `http://ann:s3cret@${proxy.host}` }
  const result = await zip('a.zip', ['http://files.test/bytes/10/a.bin'], env)
  expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 file') })
  expect(proxy.requests).toHaveLength(1)
  const direct = await zip('b.zip', ['--no-proxy', '127.0.0.0/8', origin.url('/bytes/10/b.bin')], env)
  expect(direct.exitCode).toBe(0)
  expect(proxy.requests).toHaveLength(1)
})

test('what a proxy does is said in one line, without its password', async () => {
  await using proxy = await startProxy({ login: 'ann:other' })
  const through = ['--proxy', `http://ann:s3cret@${proxy.host}`]
  const urls = ['https://a.test/1', 'https://b.test/2', 'https://c.test/3']
  const { stderr, exitCode } = await zip('c.zip', [...through, '--keep-going', ...urls])
  expect(exitCode).toBe(1)
  expect(stderr.split('\n').slice(0, 5)).toEqual([
    `The proxy http://${proxy.host} wants a user name and password, or other ones (HTTP 407).`,
    `proxy http://${proxy.host}: Proxy refused. Its remaining URLs are not tried.`,
    ...urls.map((url) => `${url}: Proxy refused`),
  ])
  expect(stderr).not.toContain('s3cret')
})

test('-A names the user agent, and --timeout bounds the wait for the first byte', async () => {
  const path = '/bytes/10/agent.bin'
  expect((await zip('d.zip', ['-A', 'Archiver/2 (ann)', origin.url(path)])).exitCode).toBe(0)
  expect(origin.requests(path)[0]?.headers.get('user-agent')).toBe('Archiver/2 (ann)')
  const slow = await zip('e.zip', ['--timeout', '1', origin.url('/bytes/10/slow.bin?delay_ms=60000')])
  expect(slow.stderr).toContain(': Timed out')
})

test.each([
  ['--proxy', 'socks5://a:1', '--proxy (HOLDALL_PROXY): expected http://HOST:PORT or https://HOST:PORT'],
  ['--limit-rate', '5 MB', '--limit-rate (HOLDALL_LIMIT_RATE): expected bytes per second'],
  ['--timeout', '0', '--timeout (HOLDALL_TIMEOUT): expected a whole number from 1 to 3600'],
  ['--ca', '/nowhere.pem', 'expected a PEM file of certificates, but /nowhere.pem cannot be read'],
])('%s %s is wrong usage', async (flag, value, message) => {
  const { stderr, exitCode } = await zip('f.zip', [flag, value, 'https://a.test/'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})
