import { describe, expect, test } from 'bun:test'
import { startService, type TestService } from '../support/service.ts'

const ATTEMPTS_PER_MINUTE = 300

describe('Rate limits', () => {
  test('a key that exceeds its requests per minute is RATE_LIMITED with Retry-After', async () => {
    await using service = await startService({ 'rate-limit': ['3'] })
    service.stopClock()
    const key = await service.addUser('busy')
    for (const remaining of [2, 1, 0]) {
      const reply = await service.request('GET', '/me', { key })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60')
      expect(reply.headers.get('ratelimit')).toStartWith(`"key";r=${remaining};t=`)
    }
    const refused = await service.request('POST', '/jobs', { key, body: { urls: ['http://127.0.0.1:9/'] } })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(refused.headers.get('ratelimit')).toBe('"key";r=0;t=60')
    expect((await service.request('GET', '/me')).status).toBe(200)
    service.advance(20_000)
    expect((await service.request('GET', '/me', { key })).status).toBe(200)
    expect((await service.request('GET', '/jobs', { key })).status).toBe(429)
  })

  test('a request with a body counts once', async () => {
    await using service = await startService({ 'rate-limit': ['5'] })
    const key = await service.addUser('busy')
    const reply = await service.request('POST', '/api-keys', { key, body: { name: 'x' } })
    expect(reply.headers.get('ratelimit')).toStartWith('"key";r=4;')
  })

  test('--rate-limit 0 means no limit', async () => {
    await using service = await startService({ 'rate-limit': ['0'] })
    const reply = await service.request('GET', '/me')
    expect([reply.status, reply.headers.get('ratelimit')]).toEqual([200, null])
  })

  test.each([
    ['keys', (service: TestService) => service.request('GET', '/me', { key: 'wrong' })],
    ['download tokens', (service: TestService) => service.request('GET', '/download/wrong', { key: null })],
    [
      'sign-in tokens',
      (service: TestService) => service.request('POST', '/sign-in', { key: null, body: { token: 'wrong' } }),
    ],
  ])(
    'an address may try 300 wrong %s per minute, and valid keys are not limited by that',
    async (_what, attempt) => {
      await using service = await startService()
      service.stopClock()
      for (let tried = 0; tried < ATTEMPTS_PER_MINUTE; tried++)
        expect((await attempt(service)).status).not.toBe(429)
      const refused = await attempt(service)
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await service.request('GET', '/me')).status).toBe(200)
      service.advance(1_000)
      expect((await attempt(service)).status).not.toBe(429)
    },
  )
})
