import { describe, expect, test } from 'bun:test'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { forFile } from '../support/for-file.ts'
import { type RawRequest, type RawResponse, sendRaw } from '../support/raw-request.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

// Requests that no client library would send.

const uiDir = forFile(tempDir())
await Bun.write(uiDir.file('index.html'), '<!doctype html><title>Holdall</title>')
await Bun.write(uiDir.file('share.html'), '<!doctype html><title>Holdall</title>')
await Bun.write(uiDir.file('assets/app-1a2b3c.js'), 'export {}')
const service = forFile(await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path }))
const HOST = 'Host: holdall.example'
const KEY = `Authorization: Bearer ${service.key}`
const JOB = '/jobs/00000000-0000-4000-8000-000000000000'

describe('The target of a request (RFC 9112, section 3.2)', () => {
  test.each([
    '[',
    '[::1',
    'holdall:99999',
    'holdall:port',
    'two words',
    'holdall/jobs',
    'holdall?x',
    'holdall#x',
    'somebody@holdall',
    'holdall, other',
    '\u00ff',
    '',
  ])('an invalid Host is INVALID_REQUEST on every path: %p', async (host) => {
    for (const path of ['/health', '/jobs', '/nothing', '/', '/docs']) {
      await expectError({ line: `GET ${path} HTTP/1.1`, fields: [`Host: ${host}`, KEY] }, 'INVALID_REQUEST')
    }
  })

  test('two Host headers are INVALID_REQUEST', async () => {
    await expectError({ line: 'GET /health HTTP/1.1', fields: [HOST, HOST] }, 'INVALID_REQUEST')
  })

  test.each([
    'holdall.example',
    'a',
    'nas',
    'HOLDALL:8420',
    'holdall:',
    '127.0.0.1',
    '[::1]:8420',
    'xn--bcher-kva',
  ])('a valid Host is accepted: %s', async (host) => {
    const answer = await ask({ line: 'GET /health HTTP/1.1', fields: [`Host: ${host}`] })
    expect(answer.status).toBe(200)
  })

  test.each(['/health', '/nothing', '/jobs', '/public/jobs', '//other.example/health'])(
    'a request without Host, which HTTP/1.0 allows, is INVALID_REQUEST: %s',
    async (path) => {
      await expectError({ line: `GET ${path} HTTP/1.0`, fields: [KEY] }, 'INVALID_REQUEST')
      expect((await ask({ line: `GET ${path} HTTP/1.0`, fields: [HOST, KEY] })).status).not.toBe(400)
    },
  )

  test.each(['nas', 'a', 'ab', 'a:1'])(
    'POST /sign-in reaches its route at the short host name %s',
    async (host) => {
      const fields = [`Host: ${host}`, 'Content-Type: application/json', 'Content-Length: 2']
      await expectError({ line: 'POST /sign-in HTTP/1.1', fields, body: '{}' }, 'INVALID_REQUEST')
      expect((await ask({ line: 'GET /sign-in HTTP/1.1', fields: [`Host: ${host}`] })).status).toBe(200)
    },
  )

  test.each(['CONNECT * HTTP/1.1', 'CONNECT *:443 HTTP/1.1'])('%s is INVALID_REQUEST', async (line) => {
    await expectError({ line, fields: [HOST] }, 'INVALID_REQUEST')
  })

  test.each([
    'CONNECT holdall.example:443 HTTP/1.1',
    'GET http://other.example/nothing HTTP/1.1',
    'GET //other.example/health HTTP/1.1',
    'GET /%68ealth HTTP/1.1',
    'GET /jobs/%ZZ HTTP/1.1',
    'GET /jobs/%ff HTTP/1.1',
    'GET /assets/..%2f..%2findex.html HTTP/1.1',
    'GET /assets/%00 HTTP/1.1',
    `GET /${'long'.repeat(50)} HTTP/1.1`,
  ])('%s is NOT_FOUND', async (line) => {
    await expectError({ line, fields: [HOST, KEY] }, 'NOT_FOUND')
  })

  test.each(['TRACE', 'PROPFIND', 'OPTIONS', 'QUERY', 'M-SEARCH', 'PATCH'])(
    '%s /health is METHOD_NOT_ALLOWED',
    async (method) => {
      const answer = await expectError(
        { line: `${method} /health HTTP/1.1`, fields: [HOST] },
        'METHOD_NOT_ALLOWED',
      )
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    },
  )
})

describe('The body of a request', () => {
  const chunked = ['Transfer-Encoding: chunked', HOST, KEY]
  const TYPES = [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
  ]

  test.each(TYPES)('counts as missing when it is chunked and empty, with type %s', async (type) => {
    const fields = [...chunked, `Content-Type: ${type}`]
    const created = await ask({ line: 'POST /api-keys HTTP/1.1', fields, body: '0\r\n\r\n' })
    expect(created.status).toBe(201)
    for (const line of [`POST ${JOB}/retry HTTP/1.1`, `POST ${JOB}/cancel HTTP/1.1`]) {
      await expectError({ line, fields, body: '0\r\n\r\n' }, 'NOT_FOUND')
    }
    for (const line of ['POST /jobs HTTP/1.1', 'POST /sign-in HTTP/1.1']) {
      const answer = await expectError({ line, fields, body: '0\r\n\r\n' }, 'INVALID_REQUEST')
      expect(answer.text).toContain('The body is needed.')
    }
  })

  test.each(TYPES)('of type %s is ignored by DELETE', async (type) => {
    const fields = [HOST, KEY, `Content-Type: ${type}`, 'Content-Length: 1']
    await expectError({ line: `DELETE ${JOB} HTTP/1.1`, fields, body: '{' }, 'NOT_FOUND')
    const other = '/api-keys/00000000-0000-4000-8000-000000000000'
    await expectError({ line: `DELETE ${other} HTTP/1.1`, fields, body: '{' }, 'NOT_FOUND')
  })
})

describe('A request that Bun itself refuses', () => {
  test.each<[string, RawRequest]>([
    ['text that is not HTTP', { line: 'x' }],
    ['HTTP/1.1 without a Host', { line: 'GET /health HTTP/1.1' }],
    ['an unknown HTTP version', { line: 'GET /health HTTP/3.0', fields: [HOST] }],
    ['500 headers', { line: 'GET /health HTTP/1.1', fields: [HOST, ...Array(500).fill('X: y')] }],
    ['a header of 100 KB', { line: 'GET /health HTTP/1.1', fields: [HOST, `X: ${'y'.repeat(100_000)}`] }],
    [
      'a Content-Length and chunks',
      {
        line: 'POST /jobs HTTP/1.1',
        fields: [HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
        body: '0\r\n\r\n',
      },
    ],
    [
      'a Content-Length beyond 64 bits',
      { line: 'POST /jobs HTTP/1.1', fields: [HOST, `Content-Length: 1${'0'.repeat(25)}`] },
    ],
    ['OPTIONS *', { line: 'OPTIONS * HTTP/1.1', fields: [HOST] }],
    ['an unknown method', { line: 'BREW /health HTTP/1.1', fields: [HOST] }],
  ])('gets at most a status, without body and headers: %s', async (_what, request) => {
    const answer = await sendRaw(service.origin, request)
    if (answer === null) return
    expect([400, 431, 505]).toContain(answer.status)
    expect([answer.text, [...answer.headers.keys()]]).toEqual(['', ['connection']])
  })
})

test('refused requests leave no line in the log', () => {
  expect(service.logged).toEqual([])
})

async function ask(request: RawRequest): Promise<RawResponse> {
  const answer = await sendRaw(service.origin, request)
  if (answer === null) throw new Error(`${request.line} gets no response`)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toMatch(/^no-(store|cache)$/)
  return answer
}

async function expectError(request: RawRequest, code: string): Promise<RawResponse> {
  const answer = await ask(request)
  const { error } = errorEnvelope.parse(JSON.parse(answer.text))
  expect([request.line, error.code]).toEqual([request.line, code])
  return answer
}
