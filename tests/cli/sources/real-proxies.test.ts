// test group: long
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runCommand } from '../../support/holdall-command.ts'
import { expectedSha256, type Origin, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { REAL_PROXIES, startRealProxy } from '../../support/real-proxy.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { selfSigned, signed } from '../../support/test-certificates.ts'

const dir = tempDir()
const ALLOWED = ['--allow-network', '127.0.0.0/8', '--allow-network', '::1/128']
const LOGIN = 'ann:s3cret'
let origin: Origin
let secure: Bun.Server<undefined>

beforeAll(async () => {
  origin = await startOrigin()
  await selfSigned(dir, 'authority.test')
  const tls = await signed(dir, 'localhost', 'authority.test', 1)
  secure = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls,
    fetch: (request) => fetch(origin.url(request.url.slice(new URL(request.url).origin.length))),
  })
})
afterAll(async () => {
  await secure.stop(true)
  await origin[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
})

// Those that are not installed are not tested: a proxy of the tests' own behaves like them (support/proxy.ts).
describe.each(REAL_PROXIES)('Through %s', (name) => {
  test.each([null, LOGIN])('with the login %p, sources are packed with and without TLS', async (login) => {
    await using proxy = await startRealProxy(name, login)
    const port = new URL(origin.url('/')).port
    const urls = [1, 2, 3, 4].map((seed) => {
      const at = seed % 2 === 0 ? `https://localhost:${secure.port}` : `http://localhost:${port}`
      return `${at}/bytes/${seed * 400_000}/${seed}.bin?seed=${seed}`
    })
    const output = dir.file(`${name}-${login === null}.zip`)
    const through = `http://${login === null ? '' : `${LOGIN}@`}${proxy.host}`
    const args = ['zip', '-o', output, '--proxy', through, '--ca', dir.file('authority.test.crt'), ...ALLOWED]
    const { stderr, exitCode } = await runCommand([...args, ...urls])
    expect(stderr).toContain('4 files')
    expect(exitCode).toBe(0)
    const entries = await readZip(output)
    expect(entries.map(({ sha256 }) => sha256)).toEqual(
      [1, 2, 3, 4].map((seed) => expectedSha256(seed * 400_000, seed)),
    )
  })

  test('with a wrong password, it is said that the proxy wants another one', async () => {
    await using proxy = await startRealProxy(name, LOGIN)
    const args = ['zip', '-o', dir.file('none.zip'), '--proxy', `http://ann:wrong@${proxy.host}`, ...ALLOWED]
    const { stderr, exitCode } = await runCommand([
      ...args,
      `https://localhost:${secure.port}/bytes/10/a.bin`,
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`The proxy http://${proxy.host} wants a user name and password`)
    expect(stderr).toContain(': Proxy refused')
    expect(stderr).not.toContain('wrong')
  })

  test('a host without a name is the proxy’s word', async () => {
    await using proxy = await startRealProxy(name, null)
    const args = ['zip', '-o', dir.file('none.zip'), '--proxy', `http://${proxy.host}`]
    const { stderr } = await runCommand([...args, 'https://no-such-host.invalid/a.bin'])
    expect(stderr).toMatch(/The proxy http:\/\/\S+ did not connect to a host \(HTTP 50\d\)\./)
  })
})
