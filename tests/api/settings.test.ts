import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startMailServer } from '../support/mail-server.ts'
import { createNotifier } from '../support/notifiers.ts'
import { startProxy } from '../support/proxy.ts'
import { type Reply, startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

const sources = forFile(startSources())

/** Without the network that tests otherwise allow. */
const start = (flags: Record<string, string[]> = {}, env: Record<string, string> = {}) =>
  startService({ 'allow-network': [], ...flags }, undefined, env)

const read = async (service: TestService) => (await service.request('GET', '/service/settings')).body.settings

function patch(service: TestService, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('PATCH', '/service/settings', { body, headers })
}

/** What somebody at the machine reads with `holdall settings code`. */
const codeOf = ({ dataDir }: TestService) => readFileSync(join(dataDir, 'settings-code'), 'utf8').trim()

const confirmed = (service: TestService, body: object) => patch(service, { ...body, code: codeOf(service) })

const storedIn = ({ dataDir }: TestService) => readFileSync(join(dataDir, 'settings.json'), 'utf8')

describe('GET /service/settings', () => {
  test('tells the value of each setting, where it comes from, and whether it can be changed', async () => {
    await using service = await start({ connections: ['12'] }, { HOLDALL_JOBS: '3' })
    await patch(service, { rate_limit: 500 })
    const settings = await read(service)
    expect(settings).toMatchObject({
      connections: { value: 12, source: 'flag', set_by: '--connections' },
      jobs: { value: 3, source: 'environment', set_by: 'HOLDALL_JOBS' },
      rate_limit: { value: 500, source: 'owner', set_by: null, needs_code: 'never' },
      host_connections: { value: 32, source: 'default', set_by: null },
      base_url: { value: null, source: 'default', needs_code: 'to_set' },
      proxy: { value: null, source: 'default', needs_code: 'always' },
    })
    expect(settings.plans.value.free.max_urls).toBe(100)
  })

  test('is for the owner alone', async () => {
    await using service = await start()
    const key = await service.addUser()
    for (const [method, body] of [['GET'], ['PATCH', { jobs: 2 }]] as const) {
      const replies = [key, null].map((each) =>
        service.request(method, '/service/settings', { key: each, body }),
      )
      expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([403, 401])
    }
    expect((await read(service)).jobs).toMatchObject({ value: 8, source: 'default' })
  })
})

describe('PATCH /service/settings', () => {
  test('applies at once to new work, and after a restart', async () => {
    await using service = await start()
    const free = await service.addUser('ann', 'free')
    const create = (count: number) =>
      service.request('POST', '/jobs', {
        key: free,
        body: { urls: Array.from({ length: count }, (_, i) => `https://files.test/${i}`) },
      })
    const limits = async () => (await service.request('GET', '/me', { key: free })).body
    expect((await patch(service, { plans: { free: { max_urls: 2, quota_gb_days: null } } })).status).toBe(200)
    expect((await create(3)).body.error).toMatchObject({
      code: 'PLAN_LIMIT_EXCEEDED',
      message: expect.stringContaining('allows 2 URLs per job'),
    })
    await patch(service, { plans: { free: { min_retention_seconds: 60 } }, jobs: 2, limit_rate: 50_000 })
    await service.restart()
    expect(await limits()).toMatchObject({
      limits: { max_urls: 2, min_retention_seconds: 60 },
      usage: { quota_gb_days: null },
    })
    const short = { urls: ['https://files.test/'], expires_in: 60 }
    expect((await service.request('POST', '/jobs', { key: free, body: short })).status).toBe(201)
    const { settings } = (await service.request('GET', '/service')).body.service
    expect(settings).toMatchObject({ jobs: 2, limit_rate: 50_000 })
  })

  test('unsets with null, and keeps what is missing', async () => {
    await using service = await start()
    await patch(service, { jobs: 2, rate_limit: 100, plans: { free: { max_urls: 2 }, pro: { max_urls: 9 } } })
    await patch(service, { jobs: null, plans: { free: null } })
    expect(await read(service)).toMatchObject({
      jobs: { value: 8, source: 'default' },
      rate_limit: { value: 100, source: 'owner' },
      plans: { value: { free: { max_urls: 100 }, pro: { max_urls: 9 } }, source: 'owner' },
    })
    expect((await service.request('GET', '/me')).headers.get('ratelimit-policy')).toBe('"key";q=100;w=60')
  })

  test('names every wrong value, and changes nothing', async () => {
    await using service = await start()
    const plans = { free: { max_urls: 9_000, min_retention_seconds: 90_000, max_retention_seconds: 80_000 } }
    const body = { jobs: 65, connections: 2, limit_rate: 10, allow_network: ['10.0.0.1'], plans }
    const reply = await patch(service, { ...body, base_url: 'ftp://files.test', proxy: 'socks5://x' })
    expect(reply.status).toBe(400)
    expect(reply.body.error.issues).toEqual([
      { path: 'base_url', message: 'must be an http or https URL' },
      { path: 'allow_network.0', message: 'must be a network, as in 192.168.0.0/16' },
      { path: 'jobs', message: 'must be a whole number from 1 to 64' },
      { path: 'plans.free.max_urls', message: 'must be at most 5000' },
      { path: 'proxy', message: 'must be http://HOST:PORT or https://HOST:PORT' },
      { path: 'limit_rate', message: 'must be bytes per second from 1k on, as in 500k or 20M' },
    ])
    expect((await patch(service, { jobs: '5' })).body.error.issues[0].path).toBe('jobs')
    expect((await read(service)).connections.source).toBe('default')
  })

  test('refuses what a flag or the environment sets, and they win over what was set before', async () => {
    const env: Record<string, string> = {}
    await using service = await start({ connections: ['12'] }, env)
    await patch(service, { jobs: 2 })
    env.HOLDALL_JOBS = '3'
    await service.restart()
    expect((await read(service)).jobs).toMatchObject({ value: 3, source: 'environment' })
    expect(service.logged.join('\n')).toContain('HOLDALL_JOBS wins')
    const reply = await patch(service, { jobs: 4, connections: 5 })
    expect(reply.status).toBe(400)
    expect(reply.body.error.issues).toEqual([
      { path: 'jobs', message: 'is set by HOLDALL_JOBS, so it cannot be changed here' },
      { path: 'connections', message: 'is set by --connections, so it cannot be changed here' },
    ])
    delete env.HOLDALL_JOBS
    await service.restart()
    expect((await read(service)).jobs).toMatchObject({ value: 2, source: 'owner' })
  })

  test('with If-Match overwrites no change that was made meanwhile', async () => {
    await using service = await start()
    const seen = (await service.request('GET', '/service/settings')).headers.get('etag') ?? ''
    const first = await patch(service, { jobs: 2 }, { 'if-match': seen })
    expect(first.headers.get('etag')).not.toBe(seen)
    const second = await patch(service, { jobs: 4 }, { 'if-match': seen })
    expect(second.status).toBe(412)
    expect(second.body.error.message).toContain('were changed meanwhile by')
    expect((await read(service)).jobs.value).toBe(2)
    expect((await patch(service, { jobs: 4 }, { 'if-match': '*' })).status).toBe(200)
  })

  test('is written to a private file, and logged with the name of the key, without values', async () => {
    await using service = await start()
    const { api_key } = (await service.request('POST', '/api-keys', { body: { name: 'Laptop of Ann' } })).body
    await service.request('PATCH', '/service/settings', { key: api_key.key, body: { jobs: 61 } })
    expect(statSync(join(service.dataDir, 'settings.json')).mode & 0o777).toBe(0o600)
    const line = service.logged.find((each) => each.includes('settings were changed'))
    expect(line).toContain('settings=jobs')
    expect(line).toContain('Laptop of Ann')
    // Its time may have any digits.
    expect(line?.replace(/^\S+Z /, '')).not.toContain('61')
    expect((await read(service)).last_change).toMatchObject({ key_name: 'Laptop of Ann', settings: ['jobs'] })
  })

  test('is refused for a page of another site, even with the key', async () => {
    await using service = await start()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }])
      expect((await patch(service, { jobs: 2 }, headers)).status).toBe(403)
    const own = { origin: service.origin, 'sec-fetch-site': 'same-origin' }
    expect((await patch(service, { jobs: 2 }, own)).status).toBe(200)
  })
})

describe('What could expose the network or redirect users,', () => {
  test.each([
    { allow_network: ['10.0.0.0/8'] },
    { base_url: 'https://zip.example' },
    { proxy: 'http://proxy.example:3128' },
    { no_proxy: '*' },
    { smtp: 'smtps://mail.example?from=a@example.org' },
  ])('needs the code of the machine, which works once: %p', async (body) => {
    await using service = await start()
    const refused = await patch(service, body)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body.error.message).toContain('holdall settings code')
    const code = codeOf(service)
    expect((await patch(service, { ...body, code: 'AAAA-AAAA' })).status).toBe(403)
    expect((await patch(service, { ...body, code: code.toLowerCase().replace('-', '') })).status).toBe(200)
    const again = { allow_network: ['192.168.0.0/16'], code }
    expect((await patch(service, again)).body.error.message).toContain('not valid, or was used before')
    expect((await read(service)).allow_network.value).not.toContain('192.168.0.0/16')
  })

  test('needs none to be taken away', async () => {
    await using service = await start()
    await confirmed(service, {
      allow_network: ['10.0.0.0/8', '127.0.0.0/8'],
      base_url: 'https://zip.example',
      smtp: 'smtp://mail.example?from=a@example.org',
    })
    const reply = await patch(service, { allow_network: ['10.0.0.0/8'], base_url: null, smtp: null })
    expect(reply.status).toBe(200)
    expect((await patch(service, { allow_network: ['10.0.0.0/8', 'fd00::/8'] })).status).toBe(403)
  })

  test('has another code after some wrong ones', async () => {
    await using service = await start()
    const code = codeOf(service)
    for (let tries = 0; tries < 5; tries++)
      await patch(service, { base_url: 'https://zip.example', code: 'AAAA-AAAA' })
    expect((await patch(service, { base_url: 'https://zip.example', code })).status).toBe(403)
    expect((await confirmed(service, { base_url: 'https://zip.example' })).status).toBe(200)
  })

  test('uses up no code when a value is wrong, or it changes nothing', async () => {
    await using service = await start()
    const code = codeOf(service)
    await patch(service, { base_url: 'nonsense', code })
    await patch(service, { proxy: null, code })
    expect(codeOf(service)).toBe(code)
  })
})

describe('A changed setting', () => {
  test('of networks applies to new jobs, and to a running one from its checkpoint', async () => {
    await using service = await start()
    const url = sources.url('/ok/a')
    expect((await service.finishedJob([url])).errors).toEqual([{ url, error: 'Address not allowed' }])
    await confirmed(service, { allow_network: ['127.0.0.0/8'] })
    expect(await service.finishedJob([url])).toMatchObject({ status: 'completed' })
    await using own = startSources()
    const urls = [url, own.url('/slow')]
    const jobId = await service.createJob({ urls })
    const stored = async () => (await service.request('GET', `/jobs/${jobId}`)).body.job.file_count
    await until('a file is packed', async () => (await stored()) >= 1)
    await patch(service, { allow_network: [] })
    expect((await service.jobIn(jobId, ['failed', 'completed'])).errors).toEqual([
      { url: urls[1], error: 'Address not allowed' },
    ])
  })

  test('of the proxy is sealed, told to nobody, and used from then on, after a restart, too', async () => {
    const login = 'ann:s3cret-p4ss'
    const hosts = { 'files.test:80': new URL(sources.url('/')).host }
    await using proxy = await startProxy({ login, hosts })
    await using service = await start({ 'log-level': ['debug'] })
    const reply = await confirmed(service, {
      proxy: `http://${login}@${proxy.host}`,
      no_proxy: 'inside.test',
    })
    expect(reply.body.settings.proxy).toMatchObject({ value: `http://${proxy.host}`, source: 'owner' })
    expect(await service.finishedJob(['http://files.test/ok/a'])).toMatchObject({ status: 'completed' })
    await service.restart()
    expect(await service.finishedJob(['http://files.test/ok/b'])).toMatchObject({ status: 'completed' })
    const told = [
      storedIn(service),
      JSON.stringify(reply.body),
      JSON.stringify((await service.request('GET', '/service')).body),
      service.logged.join('\n'),
    ].join('\n')
    expect(told).not.toContain('s3cret')
    expect(told).not.toContain(btoa(login))
    // At an address, since to look up a name would take as long as the name servers of this machine.
    const direct = sources.url('/ok/c')
    await confirmed(service, { allow_network: ['127.0.0.0/8'] })
    expect(await service.finishedJob([direct])).toMatchObject({ status: 'completed' })
    const proxied = proxy.requests.length
    expect(proxy.requests.at(-1)?.line).toContain(direct)
    await confirmed(service, { proxy: null })
    expect(await service.finishedJob([direct])).toMatchObject({ status: 'completed' })
    expect(proxy.requests).toHaveLength(proxied)
  })

  test('of the base URL is in all links, and can be checked', async () => {
    await using service = await start()
    const check = async () => {
      const { body } = await service.request('POST', '/service/settings/check-base-url')
      return [body.reaches, body.problem]
    }
    expect((await service.request('POST', '/service/settings/check-base-url')).status).toBe(400)
    await confirmed(service, { base_url: `${service.origin}/` })
    expect(await check()).toEqual([true, null])
    await confirmed(service, { base_url: sources.url('/') })
    expect(await check()).toEqual([false, 'Something else answers there (HTTP 404), not this Holdall.'])
    await confirmed(service, { base_url: 'http://127.0.0.1:1' })
    expect(await check()).toEqual([false, 'Nothing answers there: Connection refused.'])
    const jobId = await service.createJob({ urls: ['https://files.test/'] })
    const { job } = (await service.request('GET', `/jobs/${jobId}`)).body
    expect(job.share_url).toStartWith('http://127.0.0.1:1/share/')
    const origin = readFileSync(join(service.dataDir, 'service-origin'), 'utf8')
    expect(origin).toStartWith('http://127.0.0.1:1\n')
  })

  test('of the mail server lets users add e-mail, and sends it', async () => {
    await using mail = await startMailServer()
    await using service = await startService()
    const kinds = async () => (await service.request('GET', '/notifiers')).body.kinds
    expect(await kinds()).not.toContain('email')
    await confirmed(service, { smtp: mail.url })
    expect(await kinds()).toContain('email')
    await createNotifier(service, { kind: 'email', to: 'ann@example.net' })
    await service.finishedJob([sources.url('/ok/a')])
    expect(await mail.untilReceived(1)).toMatchObject([{ to: ['ann@example.net'] }])
    expect(storedIn(service)).not.toContain(mail.url)
  })

  test('of the rate is one that a running job keeps to, and jobs wait for no rate that was taken away', async () => {
    await using own = startSources()
    await using service = await startService()
    const song = async () => service.createJob({ urls: [own.url('/song/a')] })
    const first = await song()
    await service.jobIn(first, ['processing'])
    await patch(service, { limit_rate: 1_000 })
    const second = await song()
    await service.jobIn(second, ['processing'])
    await patch(service, { limit_rate: null })
    own.release()
    for (const id of [first, second])
      expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
  })
})

describe('The file of settings', () => {
  test.each([
    ['{"settings":{"jobs":"65"}}', 'jobs: expected a whole number from 1 to 64'],
    ['{"settings":{"plans":{"free":{"max_urls":"x"}}}}', 'plans.free.max_urls: must be a number'],
    ['{"settings":{"listen":"0.0.0.0:80"}}', 'listen is not a setting that can be set there'],
    ['{"settings":{"proxy":{"sealed":"AAAA"}}}', 'proxy was sealed with another key'],
    ['nonsense', 'it is not a JSON file with "settings"'],
  ])('with %s ends the start with its name and that of the setting', async (content, problem) => {
    await using service = await start()
    const path = join(service.dataDir, 'settings.json')
    const stopped = service.whileStopped(async () => writeFileSync(path, content))
    await expect(stopped).rejects.toThrow(`${path}: ${problem}`)
    writeFileSync(path, '{"settings":{"jobs":5}}')
    await service.restart()
    expect((await read(service)).jobs).toMatchObject({ value: 5, source: 'owner' })
  })
})
