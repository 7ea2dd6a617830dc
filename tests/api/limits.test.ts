import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const freeKey = await service.addUser('small', 'free')

/** One character, which takes four bytes in UTF-8 and two code units in UTF-16. */
const CHARACTER = '🎒'
const URL_OF = (characters: number) => `http://127.0.0.1:9/${'x'.repeat(characters - 19)}`
const urls = (count: number) => Array.from({ length: count }, () => URL_OF(20))
/** Files whose names have so many characters in all. */
const namesOf = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 4_096) }, (_, index) => ({
    url: URL_OF(20),
    filename: 'x'.repeat(Math.min(4_096, characters - 4_096 * index)),
  }))
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'value']))

describe('4.4 and 8: limits of a job, at each limit and just beyond it', () => {
  const job = (settings: object) => ({ urls: urls(1), ...settings })

  test.each<[string, unknown, unknown, string]>([
    ['1 URL', job({}), job({ urls: [] }), 'urls'],
    ['5,000 URLs', job({ urls: urls(5_000) }), job({ urls: urls(5_001) }), 'urls'],
    ['8,192 characters of a URL', job({ urls: [URL_OF(8_192)] }), job({ urls: [URL_OF(8_193)] }), 'urls.0'],
    [
      '5,000 files',
      { files: urls(5_000).map((url) => ({ url })) },
      { files: urls(5_001).map((url) => ({ url })) },
      'files',
    ],
    [
      '1 character of a file name',
      { files: [{ url: URL_OF(20), filename: 'x' }] },
      { files: [{ url: URL_OF(20), filename: '' }] },
      'files.0.filename',
    ],
    [
      '4,096 characters of a file name',
      { files: [{ url: URL_OF(20), filename: CHARACTER.repeat(4_096) }] },
      { files: [{ url: URL_OF(20), filename: CHARACTER.repeat(4_097) }] },
      'files.0.filename',
    ],
    [
      '2,000,000 characters of all file names',
      { files: namesOf(2_000_000) },
      { files: namesOf(2_000_001) },
      'files',
    ],
    [
      '255 characters of zip_filename',
      job({ zip_filename: CHARACTER.repeat(255) }),
      job({ zip_filename: CHARACTER.repeat(256) }),
      'zip_filename',
    ],
    ['1 character of zip_filename', job({ zip_filename: 'x' }), job({ zip_filename: '' }), 'zip_filename'],
    ['expires_in 300', job({ expires_in: 300 }), job({ expires_in: 299 }), 'expires_in'],
    ['expires_in 5,184,000', job({ expires_in: 5_184_000 }), job({ expires_in: 5_184_001 }), 'expires_in'],
    ['10 pairs of metadata', job({ metadata: pairs(10) }), job({ metadata: pairs(11) }), 'metadata'],
    [
      '128 characters of a metadata key',
      job({ metadata: { [CHARACTER.repeat(128)]: '' } }),
      job({ metadata: { [CHARACTER.repeat(129)]: '' } }),
      `metadata.${CHARACTER.repeat(129)}`,
    ],
    [
      '1,024 characters of a metadata value',
      job({ metadata: { a: CHARACTER.repeat(1_024) } }),
      job({ metadata: { a: CHARACTER.repeat(1_025) } }),
      'metadata.a',
    ],
  ])('%s is accepted, and a value just beyond is INVALID_REQUEST', async (_what, allowed, refused, path) => {
    const good = await service.request('POST', '/jobs', { body: allowed })
    expect([good.status, good.body.success]).toEqual([201, true])
    await service.request('DELETE', `/jobs/${good.body.job_id}`)
    const bad = await service.request('POST', '/jobs', { body: refused })
    expect([bad.status, bad.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(bad.body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
  })

  test.each([
    ['100 URLs', job({ urls: urls(100) }), job({ urls: urls(101) })],
    ['expires_in 86,400', job({ expires_in: 86_400 }), job({ expires_in: 86_401 })],
  ])(
    'the free plan allows %s, and a greater value is PLAN_LIMIT_EXCEEDED',
    async (_what, allowed, refused) => {
      const good = await service.request('POST', '/jobs', { key: freeKey, body: allowed })
      expect(good.status).toBe(201)
      const bad = await service.request('POST', '/jobs', { key: freeKey, body: refused })
      expect([bad.status, bad.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
    },
  )

  test('a body may have 48 MiB for a job, 64 KiB for a key and 1 KiB for a sign-in, and a larger one is PAYLOAD_TOO_LARGE', async () => {
    const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes, ' ')
    const maxBytes = { jobs: 48 * 1024 * 1024, keys: 64 * 1024, signIn: 1024 }
    const good = await service.request('POST', '/jobs', { body: padded(job({}), maxBytes.jobs) })
    expect(good.status).toBe(201)
    expect((await service.request('POST', '/api-keys', { body: padded({}, maxBytes.keys) })).status).toBe(201)
    const token = { token: 'wrong' }
    expect((await service.request('POST', '/sign-in', { body: padded(token, maxBytes.signIn) })).status).toBe(
      401,
    )
    for (const [path, body] of [
      ['/jobs', padded(job({}), maxBytes.jobs + 1)],
      ['/api-keys', padded({}, maxBytes.keys + 1)],
      ['/sign-in', padded(token, maxBytes.signIn + 1)],
    ] as const) {
      const bad = await service.request('POST', path, { body })
      expect([bad.status, bad.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
  })

  test('metadata keys may be special names of JavaScript, such as __proto__', async () => {
    const body = `{"urls":["${URL_OF(20)}"],"metadata":{"__proto__":"a","constructor":"b","":"c"}}`
    const { body: created } = await service.request('POST', '/jobs', { body })
    const response = await fetch(`${service.origin}/jobs/${created.job_id}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    expect(await response.text()).toContain('"metadata":{"__proto__":"a","constructor":"b","":"c"}')
  })
})

describe("4.2 and 5.3: limits of a key's name and lifetime", () => {
  test('a name has at most 255 characters', async () => {
    const create = (name: string) => service.request('POST', '/api-keys', { body: { name } })
    expect((await create(CHARACTER.repeat(255))).status).toBe(201)
    const bad = await create(CHARACTER.repeat(256))
    expect([bad.status, bad.body.error.issues[0].path]).toEqual([400, 'name'])
  })

  test('a key works until the millisecond before its expires_at', async () => {
    await using own = await startService()
    own.stopClock()
    const now = Date.parse((await own.request('POST', '/api-keys')).body.api_key.created_at)
    const create = (expiresAt: number) =>
      own.request('POST', '/api-keys', { body: { expires_at: new Date(expiresAt).toISOString() } })
    expect((await create(now)).status).toBe(400)
    const { key } = (await create(now + 1)).body.api_key
    expect((await own.request('GET', '/me', { key })).status).toBe(200)
    own.advance(1)
    expect((await own.request('GET', '/me', { key })).status).toBe(401)
  })
})

describe('4.5: the limit of a page', () => {
  const entriesPath = async () => {
    const jobId = await service.createJob({ urls: urls(2) })
    return `/jobs/${jobId}/entries`
  }

  test.each([
    ['jobs', 1],
    ['jobs', 100],
    ['entries', 1],
    ['entries', 1_000],
  ])('of %s may be %d', async (list, limit) => {
    const path = list === 'jobs' ? '/jobs' : await entriesPath()
    const reply = await service.request('GET', `${path}?limit=${limit}`)
    expect([reply.status, reply.body.meta.limit]).toEqual([200, limit])
  })

  test.each([
    ['jobs', 0],
    ['jobs', 101],
    ['entries', 0],
    ['entries', 1_001],
  ])('of %s may not be %d', async (list, limit) => {
    const path = list === 'jobs' ? '/jobs' : await entriesPath()
    const reply = await service.request('GET', `${path}?limit=${limit}`)
    expect([reply.status, reply.body.error.issues[0].path]).toEqual([400, 'limit'])
  })
})

describe('3.3 and 4.8: a download URL', () => {
  test('works until the millisecond before expires_at, and then is EXPIRED_TOKEN', async () => {
    await using own = await startService()
    own.stopClock()
    const job = await own.finishedJob([sources.url('/ok/a')], { expires_in: 300 })
    expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(300_000)
    own.advance(299_999)
    expect((await fetch(job.download_url)).status).toBe(200)
    own.advance(1)
    const refused = await own.request('GET', new URL(job.download_url).pathname, { key: null })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'EXPIRED_TOKEN'])
  })
})

describe('8: limits of the plan', () => {
  async function startWithPlan(limits: object): Promise<TestService & AsyncDisposable> {
    using dir = tempDir()
    await Bun.write(dir.file('plans.json'), JSON.stringify({ pro: limits }))
    return await startService({ plans: [dir.file('plans.json')] })
  }

  test('a ZIP of exactly the maximum size is completed, and one byte more is ZIP_SIZE_EXCEEDED', async () => {
    const links = [sources.url('/ok/a'), sources.url('/ok/b')]
    const { zip_size } = await service.finishedJob(links)
    await using exact = await startWithPlan({ max_zip_bytes: zip_size })
    expect(await exact.finishedJob(links)).toMatchObject({ status: 'completed', zip_size })
    await using less = await startWithPlan({ max_zip_bytes: zip_size - 1 })
    const failed = await less.finishedJob(links)
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'ZIP_SIZE_EXCEEDED' } })
    expect(failed.download_url).toBeUndefined()
  })

  test("the default retention is 24 hours, or the plan's maximum if that is shorter", async () => {
    await using short = await startWithPlan({ max_retention_seconds: 3_600 })
    const job = await short.finishedJob([sources.url('/ok/a')])
    expect(Date.parse(job.expires_at) - Date.parse(job.completed_at)).toBe(3_600_000)
    const refused = await short.request('POST', '/jobs', { body: { urls: urls(1), expires_in: 3_601 } })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
  })

  test('a retention below the minimum of all plans is INVALID_REQUEST and not PLAN_LIMIT_EXCEEDED', async () => {
    await using long = await startWithPlan({ min_retention_seconds: 600 })
    const refused = await long.request('POST', '/jobs', { body: { urls: urls(1), expires_in: 599 } })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.body.error.issues).toEqual([{ path: 'expires_in', message: 'must be at least 600' }])
    const accepted = await long.request('POST', '/jobs', { body: { urls: urls(1), expires_in: 600 } })
    expect(accepted.status).toBe(201)
  })

  test('validation is checked before the plan, and the plan before the quota', async () => {
    using dir = tempDir()
    await Bun.write(dir.file('plans.json'), JSON.stringify({ free: { quota_gb_days: 0 } }))
    await using own = await startService({ plans: [dir.file('plans.json')] })
    const key = await own.addUser('small', 'free')
    const codeOf = async (body: object) => (await own.request('POST', '/jobs', { key, body })).body.error.code
    const wrong = { urls: [...urls(100), 'ftp://x'], expires_in: 86_401 }
    expect(await codeOf(wrong)).toBe('INVALID_REQUEST')
    expect(await codeOf({ urls: urls(101), expires_in: 86_401 })).toBe('PLAN_LIMIT_EXCEEDED')
    expect(await codeOf({ urls: urls(100), expires_in: 86_401 })).toBe('PLAN_LIMIT_EXCEEDED')
    expect(await codeOf({ urls: urls(100), expires_in: 86_400 })).toBe('QUOTA_EXCEEDED')
  })

  test('jobs are accepted below the monthly quota, and refused at it', async () => {
    const create = (own: TestService) => own.request('POST', '/jobs', { body: { urls: urls(1) } })
    await using none = await startWithPlan({ quota_gb_days: 0 })
    const refused = await create(none)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'QUOTA_EXCEEDED'])
    await using some = await startWithPlan({ quota_gb_days: 1e-9 })
    expect((await create(some)).status).toBe(201)
  })
})
