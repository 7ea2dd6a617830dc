import { describe, expect, test } from 'bun:test'
import { openAccounts } from '../../server/cli/data/accounts.ts'
import { loadConfig } from '../../server/config/config.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'

const service = forFile(await startService())

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('5. Authentication', () => {
  test.each([
    ['GET', '/api-keys'],
    ['POST', '/api-keys'],
    ['DELETE', `/api-keys/${UNKNOWN_ID}`],
    ['POST', '/jobs'],
    ['GET', '/jobs'],
    ['GET', '/jobs/stats'],
    ['GET', `/jobs/${UNKNOWN_ID}`],
    ['GET', `/jobs/${UNKNOWN_ID}/entries`],
    ['POST', `/jobs/${UNKNOWN_ID}/retry`],
    ['POST', `/jobs/${UNKNOWN_ID}/cancel`],
    ['DELETE', `/jobs/${UNKNOWN_ID}`],
    ['PATCH', `/jobs/${UNKNOWN_ID}`],
    ['DELETE', '/sign-in'],
    ['GET', '/me'],
  ])(
    '%s %s without a key is UNAUTHORIZED, even if the body is malformed or the id is unknown',
    async (method, path) => {
      const body = method === 'POST' || method === 'PATCH' ? '{ malformed' : undefined
      const reply = await service.request(method, path, { key: null, body })
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
      expect(reply.body).toEqual({
        success: false,
        error: { code: 'UNAUTHORIZED', message: expect.any(String) },
      })
    },
  )

  test('a missing, malformed, unknown, expired or revoked key gets the same response', async () => {
    const expiring = await service.request('POST', '/api-keys', {
      body: { expires_at: new Date(Date.now() + 60_000).toISOString() },
    })
    const revoked = await service.request('POST', '/api-keys')
    await service.request('DELETE', `/api-keys/${revoked.body.api_key.id}`)
    service.advance(61_000)
    const headers = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Basic ${btoa('a:b')}` },
      { authorization: service.key },
      { authorization: `Bearer ${service.key}x` },
      { authorization: `Bearer hold_${'0'.repeat(49)}` },
      { authorization: `Bearer ${expiring.body.api_key.key}` },
      { authorization: `Bearer ${revoked.body.api_key.key}` },
    ]
    const replies = await Promise.all(
      headers.map((given) => service.request('GET', '/jobs', { key: null, headers: given })),
    )
    expect(replies.map((reply) => reply.status)).toEqual(headers.map(() => 401))
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
  })

  test('the scheme may be written in any case', async () => {
    const headers = { authorization: `bearer ${service.key}` }
    expect((await service.request('GET', '/me', { key: null, headers })).status).toBe(200)
  })

  test('neither the database nor the log contains a key', async () => {
    const database = await Bun.file(`${service.dataDir}/holdall.db`).bytes()
    const wal = await Bun.file(`${service.dataDir}/holdall.db-wal`).bytes()
    for (const bytes of [database, wal]) expect(Buffer.from(bytes).includes(service.key)).toBe(false)
    expect(service.logged.join('')).not.toContain('hold_')
  })
})

describe('POST /sign-in', () => {
  const signIn = (at: TestService, token: unknown) =>
    at.request('POST', '/sign-in', { key: null, body: { token } })

  /** Creates a token as `holdall sign-in-link` does, while the service runs. */
  function createToken(at: TestService): string {
    using accounts = openAccounts(loadConfig({ data: [at.dataDir] }, {}), PROGRAM_FILES)
    const link = accounts.signInLink(accounts.user(undefined))
    expect(link).toStartWith(`${at.origin}/sign-in#`)
    return link.split('#')[1] ?? ''
  }

  test('exchanges a token, which works once, for a new key of the browser', async () => {
    await using fresh = await startService()
    const token = createToken(fresh)
    const reply = await signIn(fresh, token)
    expect(reply.status).toBe(201)
    expect((await fresh.request('GET', '/me', { key: reply.body.api_key.key })).body.user.name).toBe('owner')
    const again = await signIn(fresh, token)
    expect([again.status, again.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('refuses an expired, unknown or empty token, and a token that is not a string', async () => {
    await using fresh = await startService()
    const token = createToken(fresh)
    fresh.advance(30 * 60_000)
    for (const wrong of [token, 'unknown', '']) expect((await signIn(fresh, wrong)).status).toBe(401)
    expect((await signIn(fresh, 5)).body.error.code).toBe('INVALID_REQUEST')
  })

  test('the service prints no link for a first sign-in once the owner has signed in', () => {
    expect(service.app.firstSignInLink()).toBeNull()
  })
})

describe('GET /me', () => {
  test('returns the user, the limits of the plan and the usage of this month', async () => {
    const key = await service.addUser('small', 'free')
    const { body } = await service.request('GET', '/me', { key })
    expect(body).toEqual({
      success: true,
      user: { id: expect.any(String), name: 'small', plan: 'free', is_owner: false },
      limits: {
        max_urls: 100,
        max_zip_bytes: 2e9,
        max_retention_seconds: 86_400,
        min_retention_seconds: 300,
        min_schedule_seconds: 86_400,
      },
      usage: { month: expect.stringMatching(/^\d{4}-\d\d$/), gb_days: 0, quota_gb_days: 60 },
    })
  })
})
