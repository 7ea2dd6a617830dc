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
    ['a name that is none', header('a b'), 'headers.0.name'],
    ['a value with a line break', header('A', 'b\r\nHost: c'), 'headers.0.value'],
    ['a value with a control character', header('A', 'b\u0000'), 'headers.0.value'],
    ['a value that is not ASCII', header('A', 'ü'), 'headers.0.value'],
    [
      'a value that is no text',
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

describe("a user's jobs reach an origin", () => {
  test("with the user's sites, and not with those of another user", async () => {
    const [key, other] = [await service.addUser(), await service.addUser()]
    await createSite({ origin: OWN_ORIGIN }, key)
    await service.finishedJob([origin.url('/ok/of-user')], {}, key)
    await service.finishedJob([origin.url('/ok/of-other-user')], {}, other)
    expect(keysSentTo('/ok/of-user')).toEqual(['key'])
    expect(keysSentTo('/ok/of-other-user')).toEqual([null])
  })

  test('and the site says when it was last used', async () => {
    const key = await service.addUser()
    await createSite({ origin: OWN_ORIGIN }, key)
    await createSite({ origin: 'https://unused.example' }, key)
    await service.finishedJob([origin.url('/ok/last-used')], {}, key)
    const { sites } = (await service.request('GET', '/sites', { key })).body
    expect(sites.map((site: { last_used_at: string | null }) => site.last_used_at)).toEqual([
      null,
      expect.any(String),
    ])
  })

  test('without them with use_sites: false, also after a retry', async () => {
    const key = await service.addUser()
    await createSite({ origin: OWN_ORIGIN }, key)
    const path = '/bytes/10/unused-site?fail=1&fail_status=404'
    const job = await service.finishedJob([origin.url(path)], { use_sites: false }, key)
    expect(job).toMatchObject({ status: 'failed', use_sites: false })
    await service.request('POST', `/jobs/${job.id}/retry`, { key })
    await service.jobIn(job.id, ['completed'], key)
    expect(keysSentTo(path)).toEqual([null, null])
  })

  test('not with one that has expired', async () => {
    await using later = await startService()
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const body = { origin: OWN_ORIGIN, headers: HEADERS, expires_at: expiresAt }
    await later.request('POST', '/sites', { body })
    await later.finishedJob([origin.url('/ok/before-expiry')])
    later.advance(61_000)
    await later.finishedJob([origin.url('/ok/after-expiry')])
    expect([keysSentTo('/ok/before-expiry'), keysSentTo('/ok/after-expiry')]).toEqual([['key'], [null]])
    expect((await later.request('GET', '/sites')).body.sites).toHaveLength(1)
  })

  test('also after a restart of the service', async () => {
    await using restarted = await startService()
    await restarted.request('POST', '/sites', { body: { origin: OWN_ORIGIN, headers: HEADERS } })
    await restarted.restart()
    await restarted.finishedJob([origin.url('/ok/restarted')])
    expect(keysSentTo('/ok/restarted')).toEqual(['key'])
  })
})

describe('a site is marked as refused', () => {
  test('when a source answers 401 or 403, until a later job is not refused or the headers are entered anew', async () => {
    const key = await service.addUser()
    const { id } = await createSite({ origin: OWN_ORIGIN }, key)
    const refusedAt = async () => (await service.request('GET', '/sites', { key })).body.sites[0].refused_at
    await service.finishedJob([origin.url('/status/404')], {}, key)
    expect(await refusedAt()).toBeNull()
    await service.finishedJob([origin.url('/status/401'), origin.url('/ok/beside')], {}, key)
    expect(await refusedAt()).toEqual(expect.any(String))
    await service.finishedJob([origin.url('/ok/accepted')], {}, key)
    expect(await refusedAt()).toBeNull()
    await service.finishedJob([origin.url('/status/403')], {}, key)
    expect(await refusedAt()).toEqual(expect.any(String))
    expect((await change(id, { name: 'x' }, key)).body.site.refused_at).toEqual(expect.any(String))
    expect((await change(id, { headers: HEADERS }, key)).body.site.refused_at).toBeNull()
  })
})

describe('POST /jobs with headers', () => {
  const headersFor = (value: string) => [{ origin: OWN_ORIGIN, headers: [{ name: 'X-Key', value }] }]

  test('sends them for this job alone, before those of sites, and returns their names', async () => {
    const key = await service.addUser()
    await createSite({ origin: OWN_ORIGIN }, key)
    const job = await service.finishedJob([origin.url('/ok/of-job')], { headers: headersFor('job') }, key)
    expect(job.headers).toEqual([{ origin: OWN_ORIGIN, header_names: ['X-Key'] }])
    expect(keysSentTo('/ok/of-job')).toEqual(['job'])
    const [request] = origin.requests('/ok/of-job')
    expect(request?.headers.get('authorization')).toBe('Bearer secret')
    await service.finishedJob([origin.url('/ok/of-next-job')], {}, key)
    expect(keysSentTo('/ok/of-next-job')).toEqual(['key'])
  })

  test('keeps them for a retry', async () => {
    const path = '/bytes/10/retried?fail=1&fail_status=404'
    const job = await service.finishedJob([origin.url(path)], { headers: headersFor('kept') })
    await service.restart()
    await service.request('POST', `/jobs/${job.id}/retry`)
    await service.jobIn(job.id, ['completed'])
    expect(keysSentTo(path)).toEqual(['kept', 'kept'])
  })

  test('sends them to no other origin', async () => {
    const to = origin.urlAtHost(3, '/ok/redirected')
    await service.finishedJob([origin.url(`/redirect/1?${new URLSearchParams({ to })}`)], {
      headers: headersFor('own'),
    })
    expect(keysSentTo('/ok/redirected')).toEqual([null])
  })

  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({
      origin: `https://${index}.example`,
      headers: [{ name: 'A', value: 'b'.repeat(length) }],
    }))
  test.each<[string, unknown, string]>([
    ['an origin with a path', [{ origin: 'https://a.org/b', headers: HEADERS }], 'headers.0.origin'],
    ['no headers', [{ origin: 'https://a.org', headers: [] }], 'headers.0.headers'],
    [
      'a header that Holdall sets',
      [{ origin: 'https://a.org', headers: [{ name: 'Host', value: 'b' }] }],
      'headers.0.headers.0.name',
    ],
    ['101 origins', many(101, 1), 'headers'],
    ['more than 64 KiB', many(5, 16_000), 'headers'],
    ['what is no list', { 'https://a.org': HEADERS }, 'headers'],
  ])('refuses %s', async (_, headers, path) => {
    const { status, body } = await service.request('POST', '/jobs', {
      body: { urls: [origin.url('/ok')], headers },
    })
    expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(body.error.issues[0].path).toBe(path)
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
