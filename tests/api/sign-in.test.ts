import { describe, expect, test } from 'bun:test'
import { openSignIn } from '../../server/accounts/sign-in.ts'
import { openAccounts } from '../../server/cli/data/accounts.ts'
import { loadConfig } from '../../server/config/config.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'

const DAY_MS = 86_400_000

const service = forFile(await startService())

const createKey = async (body: object = {}) =>
  (await service.request('POST', '/api-keys', { body })).body.api_key

/** A key that `POST /sign-in` has made. */
const signIn = (at: TestService) => at.addUser()

/** Signs the owner in with a new link. The service's clock is ahead by `aheadMs`. */
async function signInOwner(at: TestService, aheadMs: number): Promise<string> {
  using accounts = openAccounts(loadConfig({ data: [at.dataDir] }, {}), PROGRAM_FILES)
  const { issueToken } = openSignIn(accounts.store, () => Date.now() + aheadMs)
  const { token } = issueToken(accounts.user(undefined).id)
  return (await at.request('POST', '/sign-in', { key: null, body: { token } })).body.api_key.key
}

/** Lists the keys of the caller, which also records the use of this key. */
async function keysOf(at: TestService, key: string) {
  return (await at.request('GET', '/api-keys', { key })).body
}

describe('Keys made by POST /sign-in end 30 days after their last use', () => {
  test('each use moves expires_at', async () => {
    await using fresh = await startService()
    const key = await signIn(fresh)
    fresh.stopClock()
    const [before] = (await keysOf(fresh, key)).api_keys
    expect(Date.parse(before.expires_at) - Date.parse(before.last_used_at)).toBe(30 * DAY_MS)
    fresh.advance(29 * DAY_MS)
    const [after] = (await keysOf(fresh, key)).api_keys
    expect(Date.parse(after.expires_at) - Date.parse(after.last_used_at)).toBe(30 * DAY_MS)
    expect(Date.parse(after.last_used_at) - Date.parse(before.last_used_at)).toBe(29 * DAY_MS)
  })

  test('a key that was used works for another 30 days, and no longer', async () => {
    await using fresh = await startService()
    const key = await signIn(fresh)
    fresh.stopClock()
    await keysOf(fresh, key)
    for (let use = 0; use < 3; use++) {
      fresh.advance(30 * DAY_MS - 1)
      expect((await keysOf(fresh, key)).success).toBe(true)
    }
    fresh.advance(30 * DAY_MS)
    expect((await keysOf(fresh, key)).error.code).toBe('UNAUTHORIZED')
  })

  test('a key made by POST /api-keys without an expiry never ends', async () => {
    await using fresh = await startService()
    fresh.stopClock()
    const { key, expires_at } = (await fresh.request('POST', '/api-keys')).body.api_key
    expect(expires_at).toBeNull()
    fresh.advance(400 * DAY_MS)
    const [listed] = (await keysOf(fresh, key)).api_keys
    expect(listed.expires_at).toBeNull()
  })

  test('a sign-in deletes the keys of the same user that have ended so, and no others', async () => {
    await using fresh = await startService()
    const forever = (await fresh.request('POST', '/api-keys')).body.api_key
    const dated = await fresh.request('POST', '/api-keys', {
      body: { expires_at: new Date(Date.now() + DAY_MS).toISOString() },
    })
    const ended = await signInOwner(fresh, 0)
    const otherUsers = await signIn(fresh)
    fresh.advance(31 * DAY_MS)
    const again = await signInOwner(fresh, 31 * DAY_MS)
    const listed: { id: string; name: string }[] = (await keysOf(fresh, again)).api_keys
    expect(listed.map(({ id }) => id)).toContain(forever.id)
    expect(listed.map(({ id }) => id)).toContain(dated.body.api_key.id)
    expect(listed.filter(({ name }) => name === 'Browser')).toHaveLength(1)
    for (const key of [ended, otherUsers]) expect((await keysOf(fresh, key)).error.code).toBe('UNAUTHORIZED')
  })
})

describe('DELETE /sign-in', () => {
  test('revokes the key of the request, and no other key', async () => {
    const { id, key } = await createKey()
    const reply = await service.request('DELETE', '/sign-in', { key })
    expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'Signed out' } })
    expect((await service.request('GET', '/me', { key })).body.error.code).toBe('UNAUTHORIZED')
    const { api_keys }: { api_keys: { id: string }[] } = await keysOf(service, service.key)
    expect(api_keys.map((listed) => listed.id)).not.toContain(id)
    expect((await service.request('DELETE', '/sign-in', { key })).status).toBe(401)
  })

  test('ends the event streams that were opened with the key', async () => {
    const { key } = await createKey()
    const stream = await fetch(`${service.origin}/events`, { headers: { 'x-api-key': key } })
    await service.request('DELETE', '/sign-in', { key })
    expect(await stream.text()).not.toContain('event:')
  })
})

describe('The key may also come as X-API-Key', () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await service.request('GET', '/me', { key: null, headers })).status

  test('alone, or next to the same key as a bearer token', async () => {
    const { key } = await createKey()
    expect(await statusWith({ 'x-api-key': key })).toBe(200)
    expect(await statusWith({ 'x-api-key': key, authorization: `Bearer ${key}` })).toBe(200)
  })

  test('both at once and different is UNAUTHORIZED, even if both are valid', async () => {
    const [one, two] = [await createKey(), await createKey()]
    expect(await statusWith({ 'x-api-key': one.key, authorization: `Bearer ${two.key}` })).toBe(401)
    expect(await statusWith({ 'x-api-key': one.key, authorization: 'Bearer' })).toBe(401)
    expect(await statusWith({ 'x-api-key': 'hold_x', authorization: `Bearer ${two.key}` })).toBe(401)
  })

  test('a proxy may use Authorization for its own scheme', async () => {
    const { key } = await createKey()
    expect(await statusWith({ 'x-api-key': key, authorization: `Basic ${btoa('a:b')}` })).toBe(200)
    expect(await statusWith({ 'x-api-key': 'hold_x', authorization: `Basic ${btoa('a:b')}` })).toBe(401)
  })

  test('a wrong, empty or revoked key is UNAUTHORIZED, and the log never contains one', async () => {
    const { key } = await createKey()
    await service.request('DELETE', '/sign-in', { key })
    for (const wrong of [key, 'hold_x', '', `hold_${'0'.repeat(49)}`]) {
      expect(await statusWith({ 'x-api-key': wrong })).toBe(401)
    }
    expect(service.logged.join('')).not.toContain('hold_')
  })
})
