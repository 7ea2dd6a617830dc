import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())

describe('7. Errors', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/jobs/x/y/z'],
    ['GET', '/download'],
    ['GET', '/%ff'],
    ['GET', '/jobs/not-a-uuid'],
    ['DELETE', '/api-keys/not-a-uuid'],
    ['POST', '/jobs/not-a-uuid/retry'],
    ['PUT', '/jobs/not-a-uuid'],
    ['GET', '/jobs/'],
    ['GET', '/me/'],
  ])('%s %s is NOT_FOUND with or without a key', async (method, path) => {
    for (const key of [service.key, null]) {
      const reply = await service.request(method, path, { key })
      expect([reply.status, reply.body.success, reply.body.error.code]).toEqual([404, false, 'NOT_FOUND'])
    }
  })

  test.each([
    ['PUT', '/jobs', 'GET, HEAD, POST'],
    ['POST', '/jobs/stats', 'GET, HEAD'],
    ['POST', '/jobs/00000000-0000-4000-8000-000000000000', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/jobs/00000000-0000-4000-8000-000000000000/retry', 'POST'],
    ['PATCH', '/api-keys', 'GET, HEAD, POST'],
    ['DELETE', '/download/x', 'GET, HEAD'],
    ['OPTIONS', '/health', 'GET, HEAD'],
  ])('%s %s is METHOD_NOT_ALLOWED, with an Allow header', async (method, path, allow) => {
    const reply = await service.request(method, path, { key: null })
    expect([reply.status, reply.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(reply.headers.get('allow')).toBe(allow)
  })

  test('caches store no response, but may keep the API reference and validate it', async () => {
    for (const path of ['/jobs', '/api-keys', '/me', '/health', '/nothing', '/download/wrong']) {
      const { headers } = await service.request('GET', path)
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
    }
    for (const path of ['/docs', '/openapi.json']) {
      const { headers } = await fetch(service.origin + path)
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-cache'])
    }
  })

  test.each<[string, string, unknown, string]>([
    ['POST', '/jobs', [], 'The body must be an object.'],
    ['POST', '/jobs', undefined, 'The body is needed.'],
    ['POST', '/jobs', {}, 'urls must be given, or else files, and not both.'],
    ['POST', '/jobs', { zip_filename: 'a.zip' }, 'urls must be given, or else files, and not both.'],
    [
      'POST',
      '/jobs',
      { urls: ['http://x'], files: [{ url: 'http://x' }], zip_filename: 'a.zip' },
      'urls must be given, or else files, and not both.',
    ],
    ['POST', '/jobs', { urls: [] }, 'urls must have at least 1 item.'],
    ['POST', '/jobs', { files: [{}] }, 'files.0.url is needed.'],
    ['POST', '/jobs', { urls: ['http://x', 5] }, 'urls.1 must be a string.'],
    ['POST', '/jobs', { urls: ['http://x'], expires_in: 299 }, 'expires_in must be at least 300.'],
    ['POST', '/jobs', { urls: ['http://x'], expires_in: 6e6 }, 'expires_in must be at most 5184000.'],
    ['POST', '/jobs', { urls: ['http://x'], expires_in: 300.5 }, 'expires_in must be a whole number.'],
    ['POST', '/jobs', { urls: ['http://x'], metadata: { a: null } }, 'metadata.a must be a string.'],
    ['POST', '/jobs', { urls: ['x'], metadata: 5 }, 'urls.0 must be an http or https URL (and 1 more).'],
    [
      'POST',
      '/jobs',
      { urls: ['http://x'], base: { job_id: 'x', reuse: 'all' } },
      'base.job_id must be a UUID.',
    ],
    ['GET', '/jobs?status=done', undefined, 'status must be one of pending, processing, completed, failed.'],
    ['GET', '/jobs?limit=1&limit=2', undefined, 'limit must be a whole number.'],
  ])('%s %s with %j has a message that says what to change', async (method, path, body, message) => {
    const { status, body: answer } = await service.request(method, path, { body })
    expect([status, answer.error.code, answer.error.message]).toEqual([400, 'INVALID_REQUEST', message])
    for (const issue of answer.error.issues) {
      expect(Object.keys(issue)).toEqual(['path', 'message'])
      expect(message).toContain(answer.error.issues[0].message)
    }
  })

  test('every response forbids sniffing, framing and referrers', async () => {
    for (const path of ['/health', '/nothing', '/jobs']) {
      const { headers } = await service.request('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    }
  })
})

describe('A service whose database is broken', () => {
  test('responds INTERNAL_ERROR, gives the reason only in the log, and /health is 503 when it cannot work', async () => {
    await using broken = await startService()
    using database = new Database(`${broken.dataDir}/holdall.db`)
    database.run('ALTER TABLE jobs RENAME TO lost_jobs')
    const reply = await broken.request('GET', '/jobs')
    expect(reply.status).toBe(500)
    expect(reply.body).toEqual({
      success: false,
      error: { code: 'INTERNAL_ERROR', message: expect.stringMatching(/^\S.*\.$/) },
    })
    expect(JSON.stringify(reply.body)).not.toMatch(/SQL|no such table|jobs|\.ts|\//i)
    expect(broken.logged.join('')).toMatch(/ error a request failed error=".*no such table/)
    expect(broken.logged.join('')).not.toContain('hold_')
    expect((await broken.request('GET', '/health', { key: null })).status).toBe(200)
    database.run('ALTER TABLE users RENAME TO lost_users')
    const health = await broken.request('GET', '/health', { key: null })
    expect([health.status, health.body.success, health.body.error.code]).toEqual([503, false, 'UNAVAILABLE'])
  })
})

test('GET /health needs no key', async () => {
  const reply = await service.request('GET', '/health', { key: null })
  expect(reply).toMatchObject({
    status: 200,
    body: { success: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})
