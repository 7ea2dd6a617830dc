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
  ])('%s %s is NOT_FOUND with or without a key', async (method, path) => {
    for (const key of [service.key, null]) {
      const reply = await service.request(method, path, { key })
      expect([reply.status, reply.body.success, reply.body.error.code]).toEqual([404, false, 'NOT_FOUND'])
    }
  })

  test.each([
    ['PUT', '/jobs', 'GET, HEAD, POST'],
    ['POST', '/jobs/00000000-0000-4000-8000-000000000000', 'DELETE, GET, HEAD'],
    ['GET', '/jobs/00000000-0000-4000-8000-000000000000/retry', 'POST'],
    ['PATCH', '/api-keys', 'GET, HEAD, POST'],
    ['DELETE', '/download/x', 'GET, HEAD'],
    ['OPTIONS', '/health', 'GET, HEAD'],
  ])('%s %s is METHOD_NOT_ALLOWED, with Allow', async (method, path, allow) => {
    const reply = await service.request(method, path, { key: null })
    expect([reply.status, reply.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(reply.headers.get('allow')).toBe(allow)
  })

  test('every answer forbids sniffing, framing and referrers', async () => {
    for (const path of ['/health', '/nothing', '/jobs']) {
      const { headers } = await service.request('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    }
  })
})

test('GET /health needs no key', async () => {
  const reply = await service.request('GET', '/health', { key: null })
  expect(reply).toMatchObject({
    status: 200,
    body: { success: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  })
})
