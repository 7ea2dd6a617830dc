import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const page = await (await fetch(`${service.origin}/docs/moving-from-eazip`)).text()
const rows = [...page.matchAll(/<tr><td><code>(.*?)<\/code><\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)]

const files = [{ url: sources.url('/ok/a'), filename: 'first.txt' }, { url: sources.url('/ok/b') }]
const job = await service.finishedJob(files.map(({ url }) => url))
const downloadPath = new URL(job.download_url).pathname

/** The verdict on each call, and a check that sends the request in the form of the other service. */
const CALLS: readonly (readonly [call: string, verdict: string, check: () => Promise<void>])[] = [
  [
    'POST /jobs with files',
    'unchanged',
    async () => {
      const { status, body } = await service.request('POST', '/jobs', { body: { files } })
      expect([status, body]).toEqual([201, { success: true, job_id: expect.any(String) }])
      const { zip_filename, file_count } = await service.jobIn(body.job_id, ['completed'])
      expect([zip_filename, file_count]).toEqual([`archive-${body.job_id}.zip`, 2])
    },
  ],
  [
    'POST /jobs with urls',
    'unchanged',
    async () => {
      const urls = [sources.url('/ok/a')]
      const { status, body } = await service.request('POST', '/jobs', { body: { urls } })
      expect([status, Object.keys(body)]).toEqual([201, ['success', 'job_id']])
      const both = await service.request('POST', '/jobs', { body: { urls, files } })
      expect(both.status).toBe(400)
    },
  ],
  [
    'zip_filename, expires_in, fail_on_url_error, metadata',
    'unchanged',
    async () => {
      const metadata = { order: '7' }
      const settings = { zip_filename: '{index}', expires_in: 300, fail_on_url_error: false, metadata }
      const made = await service.finishedJob([files[0]?.url ?? '', sources.url('/nothing')], settings)
      expect(made).toMatchObject({ status: 'completed', zip_filename: '{index}.zip', metadata })
      expect(made.errors).toEqual([{ url: sources.url('/nothing'), error: 'HTTP 404' }])
      for (const body of [
        { files, zip_filename: 'x'.repeat(256) },
        { files, expires_in: 299 },
        { files, metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, ''])) },
        { files, metadata: { ['x'.repeat(129)]: '' } },
        { files, metadata: { order: 'x'.repeat(1_025) } },
      ]) {
        expect((await service.request('POST', '/jobs', { body })).status).toBe(400)
      }
    },
  ],
  [
    'GET /jobs',
    'unchanged',
    async () => {
      const { body } = await service.request('GET', '/jobs?limit=1&status=completed')
      expect([body.success, body.jobs.length, body.meta.limit]).toEqual([true, 1, 1])
      const next = await service.request('GET', `/jobs?limit=1&cursor=${body.meta.next_cursor}`)
      expect(next.body.jobs[0].created_at <= body.jobs[0].created_at).toBe(true)
      expect((await service.request('GET', '/jobs')).body.meta.limit).toBe(20)
      expect((await service.request('GET', '/jobs?limit=101')).status).toBe(400)
    },
  ],
  [
    'GET /jobs/stats',
    'unchanged',
    async () => {
      const { body } = await service.request('GET', '/jobs/stats')
      expect(Object.keys(body.stats)).toEqual(['pending', 'processing', 'completed', 'failed', 'total'])
    },
  ],
  [
    'GET /jobs/:id',
    'differs',
    async () => {
      const { body } = await service.request('GET', `/jobs/${job.id}`)
      expect(body.job).toMatchObject({ id: job.id, download_url: expect.any(String) })
      expect(body.job).not.toHaveProperty('zips')
    },
  ],
  [
    'POST /jobs/:id/retry',
    'unchanged',
    async () => {
      const failed = await service.finishedJob([sources.url('/nothing')])
      const { status, body } = await service.request('POST', `/jobs/${failed.id}/retry`)
      expect([status, body]).toEqual([200, { success: true, job_id: failed.id }])
      const refused = await service.request('POST', `/jobs/${job.id}/retry`)
      expect(refused.body.error.code).toBe('INVALID_REQUEST')
    },
  ],
  [
    'limits of the free plan',
    'unchanged',
    async () => {
      const key = await service.addUser('free-user', 'free')
      const { body } = await service.request('GET', '/me', { key })
      expect(body.limits).toMatchObject({
        max_urls: 100,
        max_zip_bytes: 2e9,
        max_retention_seconds: 24 * 60 * 60,
      })
      const urls = Array.from({ length: 101 }, (_, n) => sources.url(`/ok/${n}`))
      const refused = await service.request('POST', '/jobs', { key, body: { urls } })
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    },
  ],
  ['mode: stored', 'unchanged', () => expectIgnored({ mode: 'stored' })],
  ['mode: stream', 'not available', () => expectIgnored({ mode: 'stream' })],
  [
    'max_zip_size_bytes, split_strategy, allow_oversize_zips, fail_on_zip_error',
    'not available',
    () =>
      expectIgnored({
        max_zip_size_bytes: 100_000_000,
        split_strategy: 'ffd',
        allow_oversize_zips: true,
        fail_on_zip_error: true,
      }),
  ],
  [
    'GET /download/:token',
    'unchanged',
    async () => {
      const headers = { range: 'bytes=0-1' }
      const part = await fetch(job.download_url, { headers })
      expect([part.status, await part.text()]).toEqual([206, 'PK'])
      const changed = await fetch(job.download_url, { headers: { ...headers, 'if-range': '"another"' } })
      expect(changed.status).toBe(200)
    },
  ],
  [
    'X-API-Key',
    'unchanged',
    async () => {
      const headers = { 'x-api-key': service.key }
      expect((await service.request('GET', '/jobs', { key: null, headers })).status).toBe(200)
    },
  ],
  [
    'Authorization: Bearer',
    'unchanged',
    async () => {
      expect((await service.request('GET', '/jobs')).status).toBe(200)
      const headers = { 'x-api-key': 'another' }
      expect((await service.request('GET', '/jobs', { headers })).status).toBe(401)
    },
  ],
  [
    'GET /api-keys, POST /api-keys, DELETE /api-keys/:id',
    'unchanged',
    async () => {
      const made = await service.request('POST', '/api-keys', { body: { name: 'moved' } })
      expect([made.status, made.body.api_key.key]).toEqual([201, expect.any(String)])
      const { body } = await service.request('GET', '/api-keys')
      expect(body.api_keys[0]).toMatchObject({ id: made.body.api_key.id, name: 'moved' })
      expect(body.api_keys[0]).not.toHaveProperty('key')
      const revoked = await service.request('DELETE', `/api-keys/${made.body.api_key.id}`)
      expect(revoked.body).toEqual({ success: true, message: 'API key revoked' })
    },
  ],
  [
    '400, 401, 403, 404, 500',
    'unchanged',
    async () => {
      const issues = [{ path: 'urls.0', message: expect.any(String) }]
      const invalid = await service.request('POST', '/jobs', { body: { urls: ['nothing'] } })
      expect([invalid.status, invalid.body]).toEqual([
        400,
        { success: false, error: { code: 'INVALID_REQUEST', message: expect.any(String), issues } },
      ])
      const others = [
        await service.request('GET', '/jobs', { key: 'wrong' }),
        await service.request('GET', '/download/wrong', { key: null }),
        await service.request('GET', `/jobs/${crypto.randomUUID()}`),
      ]
      expect(others.map(({ status }) => status)).toEqual([401, 403, 404])
      for (const { body } of others) expect(Object.keys(body.error)).toEqual(['code', 'message'])
      const { body } = await service.request('GET', '/openapi.json')
      expect(body.paths['/jobs'].post.responses[500].description).toBe('INTERNAL_ERROR')
    },
  ],
  [
    '405, 412, 413, 415, 416, 429, 503',
    'differs',
    async () => {
      await using full = await startService({ 'rate-limit': ['1'] })
      const key = await full.addUser('busy')
      full.stopClock()
      const post = (path: string, body: unknown, headers = {}) =>
        service.request('POST', path, { body, headers })
      const download = (headers: Record<string, string>) =>
        service.request('GET', downloadPath, { key: null, headers })
      full.setFreeBytes(() => 0)
      const replies = [
        await service.request('PUT', '/jobs'),
        await download({ 'if-match': '"another"' }),
        await post('/api-keys', { name: 'x'.repeat(70_000) }),
        await post('/jobs', 'urls', { 'content-type': 'text/plain' }),
        await download({ range: 'bytes=999999-' }),
        await full.request('GET', '/jobs', { key }).then(() => full.request('GET', '/jobs', { key })),
        await full.request('POST', '/jobs', { body: { files } }),
      ]
      expect(replies.map(({ status }) => status).join(', ')).toBe('405, 412, 413, 415, 416, 429, 503')
      for (const { headers } of replies.slice(-2)) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    },
  ],
]

/** The field changes nothing: the job makes one ZIP, and its response does not name the field. */
async function expectIgnored(fields: Readonly<Record<string, unknown>>): Promise<void> {
  const made = await service.finishedJob(
    files.map(({ url }) => url),
    fields,
  )
  expect([made.status, made.file_count]).toEqual(['completed', 2])
  expect((await fetch(made.download_url)).headers.get('content-length')).toBe(`${made.zip_size}`)
  for (const field of [...Object.keys(fields), 'zips']) expect(made).not.toHaveProperty(field)
}

describe('The page on moving from Eazip', () => {
  test('is linked from the API reference, and has a verdict and a note on each call', async () => {
    expect(await (await fetch(`${service.origin}/docs`)).text()).toContain('href="/docs/moving-from-eazip"')
    expect(rows.map(([, call, verdict]) => [call, verdict])).toEqual(
      CALLS.map(([call, verdict]) => [call, verdict]),
    )
    for (const [, call, , note] of rows) expect([call, note]).toEqual([call, expect.stringMatching(/\.$/)])
  })

  test('loads nothing from other origins, and its links lead to pages and sections', async () => {
    expect(page).not.toMatch(/<script|\bstyle=|(?:src|href)="(?:https?:)?\/\//)
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect((await fetch(`${service.origin}${path}`)).status).toBe(200)
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`)
  })

  test.each(CALLS)('says what happens with %s: %s', async (_call, _verdict, check) => {
    await check()
  })
})
