import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { forFile } from '../support/for-file.ts'
import { type RawResponse, sendRaw } from '../support/raw-request.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

// A client chooses the Host header (RFC 9110, section 7.2), and in a local network the service has short names.

const uiDir = forFile(tempDir())
await Bun.write(uiDir.file('index.html'), '<!doctype html><title>Holdall</title>')
await Bun.write(uiDir.file('share.html'), '<!doctype html><title>Holdall</title>')
await Bun.write(uiDir.file('assets/app-1a2b3c.js'), 'export {}')
await Bun.write(uiDir.file('assets/app-1a2b3c.js.gz'), Bun.gzipSync('export {}'))
const service = forFile(await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path }))
const assets = readdirSync(uiDir.file('assets')).filter((name) => name.endsWith('.js'))
const { port } = new URL(service.origin)

/** One of each kind of route, with the status that it has at every host name. */
const ROUTES: readonly [string, number][] = [
  ['/', 200],
  ['/sign-in', 200],
  ['/archives/1', 200],
  ['/share/x', 403],
  ['/health', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/docs/search.js', 200],
  ['/docs/using-holdall', 200],
  ['/docs/reference/jobs', 200],
  ['/jobs', 200],
  ['/jobs/00000000-0000-4000-8000-000000000000', 404],
  ['/users', 200],
  ['/service', 200],
  ['/download/x', 403],
  ['/download/x/entries/0', 403],
  ['/nothing', 404],
  ['/assets/nothing.js', 404],
  ...assets.map((name): [string, number] => [`/assets/${name}`, 200]),
]

describe('Every route answers at every name of the service', () => {
  test.each([
    'n',
    'nas',
    'na',
    'NAS',
    'nas.',
    'nas:0',
    'nas:',
    `nas:${port}`,
    'a.b',
    'localhost.',
    '1',
    '127.1',
    '[::1]',
    '[::1]:0',
    '[::]:8420',
    '[::ffff:127.0.0.1]',
    'xn--bcher-kva',
    `${'long'.repeat(15)}.example`,
  ])('Host: %s', async (host) => {
    for (const [path, status] of ROUTES) {
      for (const coding of ['identity', 'gzip']) {
        const reply = await get(path, [`Host: ${host}`, `Accept-Encoding: ${coding}`])
        expect([path, coding, reply?.status]).toEqual([path, coding, status])
      }
    }
  })

  test.each([
    ['', ['Host:']],
    ['no Host', []],
    ['two', ['Host: nas', 'Host: nas']],
    ['a space', ['Host: n as']],
    ['a malformed port', ['Host: nas:x']],
    ['a quote', ['Host: "nas"']],
    ['an encoded quote', ['Host: nas%22']],
  ])('A Host that names none is INVALID_REQUEST on every route: %s', async (_what, fields) => {
    for (const [path] of ROUTES) {
      const reply = await get(path, fields)
      expect([path, reply?.status]).toEqual([path, 400])
    }
  })
})

describe('Only a program on this machine that asks for this machine reads /metrics without a token', () => {
  const LOCAL = ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.8.9.1', '[::1]', '0x7f.1']

  test.each(LOCAL)('Host: %s', async (host) => {
    for (const fields of [`Host: ${host}`, `Host: ${host}:${port}`])
      expect((await get('/metrics', [fields]))?.status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil.localhost.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    'nas',
    'localhost..',
  ])('a page that lets its name resolve to this machine gets NOT_FOUND: %s', async (host) => {
    for (const fields of [`Host: ${host}`, `Host: ${host}:${port}`])
      expect((await get('/metrics', [fields]))?.status).toBe(404)
  })

  test.each([
    'Forwarded: for=127.0.0.1',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Proto: http',
    'X-Real-IP: 127.0.0.1',
    'Via: 1.1 proxy',
  ])('what a proxy forwards gets NOT_FOUND, also from a trusted one: %s', async (field) => {
    await using behind = await startService({ 'trust-proxy': ['127.0.0.0/8'] })
    for (const { origin } of [service, behind]) {
      const request = { line: 'GET /metrics HTTP/1.1', fields: ['Host: localhost', field] }
      expect((await sendRaw(origin, request))?.status).toBe(404)
    }
  })

  test('a token that is set closes this machine, too', async () => {
    const token = 'a-token-of-some-length'
    await using closed = await startService({ 'metrics-token': [token] })
    const read = (headers: Record<string, string>) => fetch(`${closed.origin}/metrics`, { headers })
    expect((await read({})).status).toBe(401)
    expect((await read({ authorization: `Bearer ${token}` })).status).toBe(200)
  })
})

test('What answers a page of another name without a key says nothing of users, jobs or the machine', async () => {
  await service.addUser('somebody')
  const about = async (path: string) => (await get(path, ['Host: evil.example']))?.text ?? ''
  expect(JSON.parse(await about('/health'))).toEqual({ success: true, version: expect.any(String) })
  const reference = await about('/openapi.json')
  for (const secret of ['somebody', service.dataDir, service.key, 'evil.example'])
    expect(reference).not.toContain(secret)
  // After a host: the digits alone may be a part of any number.
  expect(reference).not.toMatch(new RegExp(`[\\w.\\]]:${port}\\b`))
})

function get(path: string, fields: readonly string[]): Promise<RawResponse | null> {
  return sendRaw(service.origin, {
    line: `GET ${path} HTTP/1.1`,
    fields: [...fields, `Authorization: Bearer ${service.key}`],
  })
}
