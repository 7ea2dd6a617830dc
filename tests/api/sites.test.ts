import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'

const origin = forFile(await startOrigin('0.0.0.0'))
const service = forFile(await startService())
const OWN_ORIGIN = new URL(origin.url('/')).origin
const HEADERS = [
  { name: 'Authorization', value: 'Bearer secret' },
  { name: 'X-Key', value: 'key' },
]

describe('POST /sites', () => {
  test('saves how the jobs of a user reach an origin, and returns no value', async () => {
    const key = await service.addUser()
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const body = {
      origin: 'https://Example.org:443/',
      headers: HEADERS,
      name: 'Wiki',
      include_subdomains: true,
      expires_at: expiresAt,
    }
    const created = await service.request('POST', '/sites', { key, body })
    expect(created.status).toBe(201)
    expect(created.body.site).toEqual({
      id: expect.any(String),
      name: 'Wiki',
      origin: 'https://example.org',
      include_subdomains: true,
      header_names: ['Authorization', 'X-Key'],
      shared: false,
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expiresAt,
      refused_at: null,
    })
    expect((await service.request('GET', '/sites', { key })).body.sites).toEqual([created.body.site])
  })

  test('without a name, it is called by its host; it is not shared, and does not include subdomains', async () => {
    const key = await service.addUser()
    const site = await createSite({ origin: 'http://nas:8080' }, key)
    expect(site).toMatchObject({
      name: 'nas:8080',
      include_subdomains: false,
      shared: false,
      expires_at: null,
    })
  })

  const header = (name: string, value = 'v') => ({ origin: 'https://a.org', headers: [{ name, value }] })
  test.each<[string, object, string]>([
    ['no origin', { headers: HEADERS }, 'origin'],
    ['a path in the origin', { origin: 'https://a.org/x', headers: HEADERS }, 'origin'],
    ['user information in the origin', { origin: 'https://u:p@a.org', headers: HEADERS }, 'origin'],
    ['another scheme', { origin: 'ftp://a.org', headers: HEADERS }, 'origin'],
    ['a wildcard', { origin: 'https://*.a.org', headers: HEADERS }, 'origin'],
    ['no headers', { origin: 'https://a.org' }, 'headers'],
    ['an empty list of headers', { origin: 'https://a.org', headers: [] }, 'headers'],
    ['a header that Holdall sets', header('Host'), 'headers.0.name'],
    ['a header of a range', header('range'), 'headers.0.name'],
    ['a condition', header('If-None-Match'), 'headers.0.name'],
    ['a header for a proxy', header('Proxy-Authorization'), 'headers.0.name'],
    ['a malformed name', header('a b'), 'headers.0.name'],
    ['a value with a line break', header('A', 'b\r\nHost: c'), 'headers.0.value'],
    ['a value with a control character', header('A', 'b\u0000'), 'headers.0.value'],
    ['a value that is not ASCII', header('A', 'ü'), 'headers.0.value'],
    [
      'a value that is not text',
      { origin: 'https://a.org', headers: [{ name: 'A', value: 1 }] },
      'headers.0.value',
    ],
    ['over 16 KiB', header('A', 'b'.repeat(16_384)), 'headers'],
    [
      'a header twice',
      { origin: 'https://a.org', headers: [...HEADERS, { name: 'x-key', value: '2' }] },
      'headers.2.name',
    ],
    [
      'a past expires_at',
      { origin: 'https://a.org', headers: HEADERS, expires_at: '2020-01-01T00:00:00Z' },
      'expires_at',
    ],
    [
      'a name of 256 characters',
      { origin: 'https://a.org', headers: HEADERS, name: 'a'.repeat(256) },
      'name',
    ],
    [
      'subdomains of an address',
      { origin: 'http://10.0.0.1', headers: HEADERS, include_subdomains: true },
      'include_subdomains',
    ],
    [
      'subdomains of a top-level domain',
      { origin: 'https://org', headers: HEADERS, include_subdomains: true },
      'include_subdomains',
    ],
  ])('refuses %s', async (_, body, path) => {
    const { status, body: reply } = await service.request('POST', '/sites', { body })
    expect([status, reply.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(reply.error.issues[0].path).toBe(path)
  })

  test('accepts 16 KiB of headers', async () => {
    const key = await service.addUser()
    await createSite({ headers: [{ name: 'A', value: 'b'.repeat(16_383) }] }, key)
  })

  test('an error does not repeat a value', async () => {
    const body = { origin: 'nothing', headers: [{ name: 'A', value: 'marker-in-error\n' }] }
    const { body: reply } = await service.request('POST', '/sites', { body })
    expect(JSON.stringify(reply)).not.toContain('marker-in-error')
    const broken = await service.request('POST', '/sites', {
      body: `${JSON.stringify(body).slice(0, -1)},marker-in-error}`,
    })
    expect(broken.status).toBe(400)
    expect(JSON.stringify(broken.body)).not.toContain('marker-in-error')
  })

  test('refuses the 101st site of a user', async () => {
    const key = await service.addUser()
    for (let count = 0; count < 100; count++) await createSite({}, key)
    const refused = await service.request('POST', '/sites', {
      key,
      body: { origin: 'https://a.org', headers: HEADERS },
    })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  })
})

test('GET /sites has pages, newest first', async () => {
  const key = await service.addUser()
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await createSite({}, key)).id)
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await service.request('GET', `/sites?limit=2${cursor && `&cursor=${cursor}`}`, { key })
    found.push(...body.sites.map(({ id }: { id: string }) => id))
    expect(body.meta).toMatchObject({ limit: 2, total: 5, has_more: body.meta.next_cursor !== null })
    cursor = body.meta.next_cursor
  }
  expect(found).toEqual(ids)
})

describe('PATCH /sites/:id', () => {
  test('changes what it names, and null takes name and expires_at away', async () => {
    const key = await service.addUser()
    const { id } = await createSite({ name: 'A', expires_at: '2099-01-01T00:00:00Z' }, key)
    expect(await change(id, { name: 'B' }, key)).toMatchObject({
      status: 200,
      body: { site: { name: 'B', expires_at: '2099-01-01T00:00:00.000Z' } },
    })
    expect(
      (await change(id, { name: null, expires_at: null, origin: null, headers: null }, key)).body.site,
    ).toMatchObject({
      name: 'example.org',
      expires_at: null,
      origin: 'https://example.org',
      header_names: ['Authorization', 'X-Key'],
    })
  })

  test('changes nothing without a field', async () => {
    const site = await createSite()
    for (const body of [{}, { origin: null, headers: null, include_subdomains: null, shared: null }])
      expect((await change(site.id, body)).body.site).toEqual(site)
  })

  test.each([
    ['a new origin', { origin: 'https://evil.example' }],
    ['include_subdomains', { include_subdomains: true }],
    ['shared', { shared: true }],
  ])('%s needs headers anew', async (_, changes) => {
    const { id } = await createSite()
    const refused = await change(id, changes)
    expect([refused.status, refused.body.error.code, refused.body.error.issues[0].path]).toEqual([
      400,
      'INVALID_REQUEST',
      'headers',
    ])
    const headers = [{ name: 'A', value: 'b' }]
    const changed = await change(id, { ...changes, headers })
    expect(changed.body.site).toMatchObject({ ...changes, header_names: ['A'] })
    await service.request('DELETE', `/sites/${id}`)
  })

  test('the same origin, and turning off what widens, need none', async () => {
    const { id } = await createSite({ include_subdomains: true, shared: true })
    const changes = { origin: 'https://example.org', include_subdomains: false, shared: false }
    expect((await change(id, changes)).body.site).toMatchObject(changes)
  })

  test('refuses a past expires_at, and a site that does not exist or is another user’s', async () => {
    const key = await service.addUser()
    const { id } = await createSite({}, key)
    expect((await change(id, { expires_at: '2020-01-01T00:00:00Z' }, key)).status).toBe(400)
    expect((await change(id, { name: 'x' })).body.error.code).toBe('NOT_FOUND')
    expect((await change(crypto.randomUUID(), { name: 'x' })).body.error.code).toBe('NOT_FOUND')
  })
})

test('DELETE /sites/:id deletes a site', async () => {
  const key = await service.addUser()
  const { id } = await createSite({}, key)
  expect((await service.request('DELETE', `/sites/${id}`)).status).toBe(404)
  const deleted = await service.request('DELETE', `/sites/${id}`, { key })
  expect([deleted.status, deleted.body]).toEqual([200, { success: true, message: 'Site deleted' }])
  expect((await service.request('DELETE', `/sites/${id}`, { key })).status).toBe(404)
  expect((await service.request('GET', '/sites', { key })).body.sites).toEqual([])
})

describe('a shared site', () => {
  test('is used by the jobs of all users, who see no more than its name and origin', async () => {
    const key = await service.addUser()
    const { id } = await createSite({ origin: OWN_ORIGIN, name: 'Team', shared: true })
    await service.finishedJob([origin.url('/ok/shared-by-owner')], {}, key)
    expect(keysSentTo('/ok/shared-by-owner')).toEqual(['key'])
    const { sites, meta } = (await service.request('GET', '/sites', { key })).body
    expect(sites).toEqual([{ id, name: 'Team', origin: OWN_ORIGIN, shared: true }])
    expect(meta.total).toBe(1)
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const) {
      const refused = await service.request(method, `/sites/${id}`, { key, body })
      expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect((await service.request('DELETE', `/sites/${id}`)).status).toBe(200)
    await service.finishedJob([origin.url('/ok/no-longer-shared')], {}, key)
    expect(keysSentTo('/ok/no-longer-shared')).toEqual([null])
  })

  test("is the owner's alone", async () => {
    const key = await service.addUser()
    const body = { origin: 'https://a.org', headers: HEADERS, shared: true }
    const refused = await service.request('POST', '/sites', { key, body })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    const { id } = await createSite({}, key)
    expect((await change(id, { shared: true, headers: HEADERS }, key)).body.error.code).toBe('FORBIDDEN')
    expect((await change(id, { shared: false, name: 'x' }, key)).status).toBe(200)
  })
})

async function createSite(settings: object = {}, key = service.key) {
  const body = { origin: 'https://example.org', headers: HEADERS, ...settings }
  const created = await service.request('POST', '/sites', { key, body })
  expect(created.status).toBe(201)
  return created.body.site
}

function change(id: string, body: object, key = service.key) {
  return service.request('PATCH', `/sites/${id}`, { key, body })
}

/** The values of `X-Key` in the requests for a path. */
function keysSentTo(path: string) {
  return origin.requests(path).map(({ headers }) => headers.get('x-key'))
}
