import { describe, expect, test } from 'bun:test'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const create = (body: unknown, key?: string) =>
  service.request('POST', '/jobs', { body, ...(key === undefined ? {} : { key }) })

async function expectInvalid(body: unknown, path: string): Promise<void> {
  const reply = await create(body)
  expect(reply.status).toBe(400)
  expect(reply.body.success).toBe(false)
  expect(reply.body.error.code).toBe('INVALID_REQUEST')
  expect(reply.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path)
}

describe('4.4 POST /jobs: create a job', () => {
  test('responds 201 with success and the id of the new job', async () => {
    const reply = await create({ urls: [sources.url('/ok/a.txt')] })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({ success: true, job_id: expect.stringMatching(UUID) })
    expect(reply.headers.get('location')).toBe(`jobs/${reply.body.job_id}`)
    await service.jobIn(reply.body.job_id, ['completed'])
  })

  test('a completed job has all fields of GET /jobs/:id', async () => {
    const urls = [sources.url('/ok/a.txt'), sources.url('/ok/b.txt'), sources.url('/ok/a.txt')]
    const job = await service.finishedJob(urls, { zip_filename: 'papers', metadata: { project: 'x' } })
    expect(job).toEqual({
      id: expect.stringMatching(UUID),
      status: 'completed',
      urls,
      url_count: 3,
      file_count: 3,
      zip_filename: 'papers.zip',
      zip_size: expect.any(Number),
      fail_on_url_error: true,
      fail_on_warning: false,
      manifest: false,
      warning_count: 0,
      download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/download\/[\w-]{80}$/),
      share_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/share\/[\w-]{80}$/),
      metadata: { project: 'x' },
      created_at: expect.stringMatching(TIME),
      completed_at: expect.stringMatching(TIME),
      expires_at: expect.stringMatching(TIME),
    })
    expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(86_400_000)
  })

  test('without zip_filename the ZIP is archive-<job_id>.zip', async () => {
    const job = await service.finishedJob([sources.url('/ok/a.txt')])
    expect(job.zip_filename).toBe(`archive-${job.id}.zip`)
  })

  test('an extension .zip of any case is replaced by .zip', async () => {
    const job = await service.finishedJob([sources.url('/ok/a.txt')], { zip_filename: 'Übersicht.ZIP' })
    expect(job.zip_filename).toBe('Übersicht.zip')
  })

  test('zip_filename may have 255 characters in addition to the extension .zip, counted as code points', async () => {
    const longest = '🎒'.repeat(255)
    expect((await create({ urls: [sources.url('/ok/a')], zip_filename: `${longest}.zip` })).status).toBe(201)
    await expectInvalid({ urls: [sources.url('/ok/a')], zip_filename: `${longest}x` }, 'zip_filename')
  })

  test('zip_filename may not hold bidirectional controls, which make a name look like another one', async () => {
    await expectInvalid({ urls: [sources.url('/ok/a')], zip_filename: 'annexe\u202egpj.exe' }, 'zip_filename')
  })

  test('a job may have 5,000 URLs, and returns all of them', async () => {
    const urls = Array.from({ length: 5_000 }, (_, index) => sources.url(`/404/${index}`))
    const reply = await create({ urls })
    expect(reply.status).toBe(201)
    const { body } = await service.request('GET', `/jobs/${reply.body.job_id}`)
    expect(body.job.urls).toEqual(urls)
    await service.request('DELETE', `/jobs/${reply.body.job_id}`)
  })

  test('null counts as absent, and unknown fields are ignored', async () => {
    const nulls = {
      zip_filename: null,
      expires_in: null,
      fail_on_url_error: null,
      metadata: null,
      files: null,
    }
    const job = await service.finishedJob([sources.url('/ok/a')], { ...nulls, colour: 'blue' })
    expect(job.fail_on_url_error).toBe(true)
    expect(job.metadata).toEqual({})
    expect(job.colour).toBeUndefined()
  })

  test('files, with optional names, may be given instead of urls, and are returned', async () => {
    const files = [{ url: sources.url('/ok/a'), filename: 'x/a.txt' }, { url: sources.url('/ok/b') }]
    const reply = await create({ files })
    const job = await service.jobIn(reply.body.job_id, ['completed'])
    expect(job.files).toEqual(files)
    expect(job.urls).toEqual(files.map((file) => file.url))
  })

  test('a body without Content-Type is parsed as JSON', async () => {
    const body = new TextEncoder().encode(JSON.stringify({ urls: [sources.url('/ok/a')] }))
    expect((await service.request('POST', '/jobs', { body })).status).toBe(201)
  })

  const url = 'http://127.0.0.1:9/x'
  const invalid: [string, unknown, string][] = [
    ['no urls', {}, 'urls'],
    ['both urls and files', { urls: [url], files: [{ url }] }, 'urls'],
    ['a string in place of the list', { urls: url }, 'urls'],
    ['a number among the URLs', { urls: [url, url, url, 5] }, 'urls.3'],
    ['a URL of another scheme', { urls: ['ftp://example.com/x'] }, 'urls.0'],
    ['text that is not a URL', { urls: ['example.com'] }, 'urls.0'],
    ['only the extension', { urls: [url], zip_filename: '.zip' }, 'zip_filename'],
    ['a slash in zip_filename', { urls: [url], zip_filename: 'a/b' }, 'zip_filename'],
    ['a backslash in zip_filename', { urls: [url], zip_filename: 'a\\b' }, 'zip_filename'],
    ['a line break in zip_filename', { urls: [url], zip_filename: 'a\nb' }, 'zip_filename'],
    ['a lone surrogate in zip_filename', { urls: [url], zip_filename: 'a\ud800' }, 'zip_filename'],
    ['a fraction in expires_in', { urls: [url], expires_in: 300.5 }, 'expires_in'],
    ['a string in expires_in', { urls: [url], expires_in: '300' }, 'expires_in'],
    ['a string in fail_on_url_error', { urls: [url], fail_on_url_error: 'true' }, 'fail_on_url_error'],
    ['a number in metadata', { urls: [url], metadata: { a: 1 } }, 'metadata.a'],
    ['an array in place of metadata', { urls: [url], metadata: [] }, 'metadata'],
  ]
  test.each(invalid)('%s is INVALID_REQUEST, with the path of the field', async (_what, body, path) => {
    await expectInvalid(body, path)
  })

  test('the error lists all issues, up to 20', async () => {
    const two = await create({ zip_filename: '', expires_in: 1.5 })
    expect(two.body.error.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'expires_in',
      'urls',
      'zip_filename',
    ])
    const many = await create({ urls: Array.from({ length: 50 }, () => 'no') })
    expect(many.body.error.issues).toHaveLength(20)
  })

  test('metadata at its limits is returned unchanged, with any characters', async () => {
    const metadata = { ...pairs(9), ['🎒'.repeat(128)]: `\u0000"\\${'🎒'.repeat(1_021)}` }
    const job = await service.finishedJob([sources.url('/ok/a')], { metadata })
    expect(job.metadata).toEqual(metadata)
  })

  test.each([
    ['malformed JSON', '{"urls":'],
    ['an empty body', ''],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['JSON that is not an object', '[1]'],
    ['null', 'null'],
  ])('%s is INVALID_REQUEST', async (_what, body) => {
    const reply = await service.request('POST', '/jobs', { body })
    expect(reply.status).toBe(400)
    expect(reply.body.error.code).toBe('INVALID_REQUEST')
  })

  test('a body that is not application/json is UNSUPPORTED_MEDIA_TYPE', async () => {
    const headers = { 'content-type': 'text/plain' }
    const reply = await service.request('POST', '/jobs', { body: '{"urls":["http://example.com"]}', headers })
    expect(reply.status).toBe(415)
    expect(reply.body.error.code).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  test.each([
    ['POST /jobs', 'Content-Length: 50331649', ' '.repeat(50_331_649)],
    ['POST /jobs', 'Transfer-Encoding: chunked', `${chunk.repeat(769)}0\r\n\r\n`],
    ['POST /jobs', 'Content-Length: 104857600', ' '.repeat(104_857_600)],
    ['POST /api-keys', 'Content-Length: 1048577', ' '.repeat(1_048_577)],
  ])('%s with a body that is too long (%s) is PAYLOAD_TOO_LARGE', async (route, framing, body) => {
    using connection = await connectTo(service.origin)
    const head = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n`
    await connection.send(`${route} HTTP/1.1\r\n${head}${framing}\r\n\r\n`)
    await connection.send(body)
    const answer = await connection.until(/\}$/)
    expect(answer).toStartWith('HTTP/1.1 413 ')
    expect(answer).toContain('"success":false,"error":{"code":"PAYLOAD_TOO_LARGE","message"')
    expect(answer).not.toContain('job_id')
    // The service keeps the connection open until it has received the body, so that the client gets the response.
    await connection.send(`GET /me HTTP/1.1\r\n${head}\r\n`)
    expect(await connection.until(/"user"/)).toContain('HTTP/1.1 200 OK')
  })

  test('without a key, even a body that is too long is UNAUTHORIZED', async () => {
    using connection = await connectTo(service.origin)
    await connection.send('POST /jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\n\r\n')
    const answer = await connection.until(/\}$/)
    expect(answer).toStartWith('HTTP/1.1 401 ')
    expect(answer).toContain('"code":"UNAUTHORIZED"')
  })
})

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, `value ${index}`]))
}
