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

describe('a look before the start', () => {
  test.each([
    ['/links', (url: string) => ({ url })],
    ['/probe', (url: string) => ({ urls: [url] })],
  ])('marks a site as used, and as refused: POST %s', async (path, bodyFor) => {
    const key = await service.addUser()
    await createSite({ origin: OWN_ORIGIN }, key)
    const siteAfter = async (url: string) => {
      await service.request('POST', path, { body: bodyFor(url), key })
      return (await service.request('GET', '/sites', { key })).body.sites[0]
    }
    const used = { last_used_at: expect.any(String) }
    expect(await siteAfter(origin.url('/status/401'))).toMatchObject({
      ...used,
      refused_at: expect.any(String),
    })
    expect(await siteAfter(origin.url('/ok/seen'))).toMatchObject({ ...used, refused_at: null })
  })
})

describe('an entry whose source refused a saved login', () => {
  test.each([401, 403])('has the error HTTP %d, and a warning that names the site', async (status) => {
    const key = await service.addUser()
    await createSite({ origin: OWN_ORIGIN, name: 'Wiki' }, key)
    const urls = [
      origin.url(`/status/${status}`),
      origin.url('/status/404'),
      origin.urlAtHost(2, `/status/${status}`),
    ]
    const { id } = await service.finishedJob([...urls, origin.url('/ok')], { fail_on_url_error: false }, key)
    const { entries } = (await service.request('GET', `/jobs/${id}/entries`, { key })).body
    const host = new URL(OWN_ORIGIN).host
    const warning = { code: 'LOGIN_REFUSED', message: `The saved login for ${host} (Wiki) may have expired.` }
    expect(entries.map((entry: { error: string; warning: unknown }) => [entry.error, entry.warning])).toEqual(
      [
        [`HTTP ${status}`, warning],
        ['HTTP 404', null],
        [`HTTP ${status}`, null],
        [null, null],
      ],
    )
    const { body } = await service.request('GET', `/jobs/${id}`, { key })
    expect([body.job.status, body.job.warning_count]).toEqual(['completed', 0])
  })

  test('is told to a colleague by the name of the shared site, and not for headers of the job', async () => {
    const key = await service.addUser()
    const site = await createSite({ origin: OWN_ORIGIN, shared: true })
    const url = origin.url('/status/401')
    const warningsOf = async (job: { id: string }) => {
      const { entries } = (await service.request('GET', `/jobs/${job.id}/entries`, { key })).body
      return entries.map((entry: { warning: unknown }) => entry.warning)
    }
    const host = new URL(OWN_ORIGIN).host
    expect(await warningsOf(await service.finishedJob([url], {}, key))).toEqual([
      { code: 'LOGIN_REFUSED', message: `The saved login for ${host} may have expired.` },
    ])
    const settings = { headers: [{ origin: OWN_ORIGIN, headers: HEADERS }] }
    expect(await warningsOf(await service.finishedJob([url], settings, key))).toEqual([null])
    await service.request('DELETE', `/sites/${site.id}`)
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

  test('keeps them to replace URLs that have a warning', async () => {
    const job = await service.finishedJob(
      [origin.url('/ok/beside-empty'), origin.url('/bytes/0/empty.pdf')],
      {
        headers: headersFor('replaced'),
      },
    )
    const replace = [{ position: 1, url: origin.url('/ok/replacement') }]
    const { body } = await service.request('POST', `/jobs/${job.id}/retry`, { body: { replace } })
    await service.jobIn(body.job_id, ['completed'])
    expect(keysSentTo('/ok/replacement')).toEqual(['replaced'])
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
    ['something other than a list', { 'https://a.org': HEADERS }, 'headers'],
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
