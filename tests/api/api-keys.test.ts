import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

async function createKey(body: object = {}) {
  const reply = await service.request('POST', '/api-keys', { body })
  return reply.body.api_key
}
const list = async (key = service.key) => (await service.request('GET', '/api-keys', { key })).body.api_keys

describe('4.1 GET /api-keys: list keys', () => {
  test('shows the id, name and times of each key, but not the key itself', async () => {
    const created = await createKey({ name: 'CI' })
    const found = (await list()).find((apiKey: { id: string }) => apiKey.id === created.id)
    expect(found).toEqual({
      id: created.id,
      name: 'CI',
      created_at: expect.stringMatching(TIME),
      expires_at: null,
      last_used_at: null,
      is_browser: false,
    })
  })

  test('last_used_at records when the key was last used', async () => {
    const created = await createKey()
    await service.request('GET', '/me', { key: created.key })
    const found = (await list()).find((apiKey: { id: string }) => apiKey.id === created.id)
    expect(found.last_used_at).toMatch(TIME)
  })
})

describe('4.2 POST /api-keys: create a key', () => {
  test('responds 201 with the key, which is accepted from then on', async () => {
    const reply = await service.request('POST', '/api-keys', { body: { name: 'laptop' } })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      success: true,
      api_key: {
        id: expect.stringMatching(UUID),
        name: 'laptop',
        key: expect.stringMatching(/^hold_[0-9A-Za-z]{49}$/),
        created_at: expect.stringMatching(TIME),
        expires_at: null,
        last_used_at: null,
        is_browser: false,
      },
    })
    expect((await service.request('GET', '/me', { key: reply.body.api_key.key })).status).toBe(200)
  })

  test.each([[undefined], [{}], [{ name: '' }], [{ name: null, expires_at: null }]])(
    'needs neither body nor name: %p',
    async (body) => {
      const reply = await service.request('POST', '/api-keys', { body })
      expect([reply.status, reply.body.api_key.name]).toEqual([201, 'API key'])
    },
  )

  test.each([
    ['2099-01-01T02:00:00+02:00', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T02:00Z', '2099-01-01T02:00:00.000Z'],
    ['2099-01-01T02:00:00.1239Z', '2099-01-01T02:00:00.123Z'],
  ])('accepts expires_at %s and returns it in UTC: %s', async (given, expected) => {
    expect((await createKey({ expires_at: given })).expires_at).toBe(expected)
  })

  test.each([
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2099-01-01T00:00:00' }, 'expires_at'],
    [{ expires_at: '2099-02-30T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2099-01-01' }, 'expires_at'],
    // In UTC this is a year of five digits, which a response could not show.
    [{ expires_at: '9999-12-31T23:59:59-00:01' }, 'expires_at'],
    [{ expires_at: 4_102_444_800 }, 'expires_at'],
  ])('refuses %j with INVALID_REQUEST', async (body, path) => {
    const reply = await service.request('POST', '/api-keys', { body })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path }] })
  })
})

describe('4.3 DELETE /api-keys/:id: revoke a key', () => {
  test('stops the key from working and removes it from the list; a second time is NOT_FOUND', async () => {
    const created = await createKey()
    const reply = await service.request('DELETE', `/api-keys/${created.id}`)
    expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'API key revoked' } })
    expect((await service.request('GET', '/jobs', { key: created.key })).status).toBe(401)
    expect((await list()).some((apiKey: { id: string }) => apiKey.id === created.id)).toBe(false)
    const again = await service.request('DELETE', `/api-keys/${created.id}`)
    expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('a key may revoke itself', async () => {
    const created = await createKey()
    const reply = await service.request('DELETE', `/api-keys/${created.id}`, { key: created.key })
    expect(reply.status).toBe(200)
  })

  test("is NOT_FOUND for another user's key, which keeps working", async () => {
    const created = await createKey()
    const otherUsersKey = await service.addUser('other-user')
    const reply = await service.request('DELETE', `/api-keys/${created.id}`, { key: otherUsersKey })
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await service.request('GET', '/me', { key: created.key })).status).toBe(200)
  })
})
