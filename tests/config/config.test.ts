import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, SETTINGS } from '../../server/config/config.ts'
import { defaultDataDir } from '../../server/config/setting-values.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned } from '../support/test-certificates.ts'

describe('Settings', () => {
  test('have the documented defaults', () => {
    expect(loadConfig({}, {})).toMatchObject({
      listen: { hostname: '127.0.0.1', port: 8420 },
      archives: null,
      baseUrl: null,
      allowNetworks: [],
      jobs: 8,
      connections: 64,
      hostConnections: 32,
      proxy: null,
      noProxy: null,
      ca: [],
      timeout: 60,
      userAgent: expect.stringMatching(/^Holdall\/\d/),
      limitRate: null,
      smtp: null,
      noOpen: false,
      plans: {
        free: { maxUrls: 100, maxZipBytes: 2e9 },
        pro: { maxUrls: 5_000, maxZipBytes: 50e9, quotaGbDays: null },
      },
    })
  })

  test('from a flag have precedence over the environment, and an empty variable counts as not set', () => {
    expect(loadConfig({ jobs: ['3'] }, { HOLDALL_JOBS: '4' }).jobs).toBe(3)
    expect(loadConfig({}, { HOLDALL_JOBS: '4' }).jobs).toBe(4)
    expect(loadConfig({}, { HOLDALL_JOBS: '' }).jobs).toBe(8)
  })

  test('that are lists come from a repeated flag or a variable with commas', () => {
    const networks = ['10.0.0.0/8', 'fd00::/8']
    expect(loadConfig({ 'allow-network': networks }, {}).allowNetworks).toEqual(networks)
    expect(loadConfig({}, { HOLDALL_ALLOW_NETWORK: '10.0.0.0/8, fd00::/8' }).allowNetworks).toEqual(networks)
  })

  test('have the same name as a flag and as a variable', () => {
    for (const { flag, env } of Object.values(SETTINGS)) {
      expect<string>(env).toBe(`HOLDALL_${flag.toUpperCase().replaceAll('-', '_')}`)
    }
  })

  test.each([
    ['listen', '8420'],
    ['listen', 'localhost:99999'],
    ['listen', '[1.2.3.4]:80'],
    ['archive-store', 'bucket/prefix'],
    ['archive-store', 's3://bucket/../prefix?x'],
    ['archive-store-endpoint', 'https://example.com/path'],
    ['base-url', 'zip.example.com'],
    ['base-url', 'https://example.com/?x'],
    ['allow-network', '10.0.0.0'],
    ['allow-network', '10.0.0.0/33'],
    ['allow-network', '10.0.0/8'],
    ['jobs', '0'],
    ['jobs', '65'],
    ['jobs', 'many'],
    ['connections', '257'],
    ['host-connections', '-1'],
    ['plans', '/nowhere'],
    ['log-format', 'xml'],
    ['log-level', 'loud'],
    ['metrics-token', 'too short'],
    ['proxy', 'socks5://proxy.example:1080'],
    ['proxy', 'http://proxy.example/path'],
    ['smtp', 'mail.example.org'],
    ['smtp', 'https://mail.example.org'],
    ['smtp', 'smtps://mail.example.org'],
    ['smtp', 'smtps://ann:secret@mail.example.org'],
    ['smtp', 'smtps://ann@mail.example.org?from=a@example.org'],
    ['smtp', 'smtps://mail.example.org?from=a@example.org&tls=no'],
    ['smtp', 'smtps://mail.example.org?from=a@example.org%0D%0ABcc:b@example.org'],
    ['ca', '/nowhere'],
    ['timeout', '0'],
    ['timeout', '1.5'],
    ['user-agent', 'two\nlines'],
    ['user-agent', ' '],
    ['limit-rate', '0'],
    ['limit-rate', '999'],
    ['limit-rate', '5 MB'],
    ['limit-rate', '-1k'],
    ['data', ''],
    ['archives', ''],
    ['owner-key-file', ''],
  ])(
    'with an invalid value are refused with an error that names what is expected: --%s %s',
    (flag, value) => {
      expect(() => loadConfig({ [flag]: [value] }, {})).toThrow(new RegExp(`^--${flag} .*expected`))
    },
  )

  test('refuse an AWS_ENDPOINT_URL that cannot be used, so that no archive goes to AWS instead', () => {
    const flags = { 'archive-store': ['s3://zips'] }
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
    expect(() => loadConfig(flags, { ...env, AWS_ENDPOINT_URL: 'https://s3.example.com/zips' })).toThrow(
      'AWS_ENDPOINT_URL: expected an http or https URL without a path',
    )
    const used = loadConfig(flags, { ...env, AWS_ENDPOINT_URL: 'https://s3.example.com/' })
    expect(used.storeAccess?.endpoint).toBe('https://s3.example.com')
    expect(loadConfig({}, { ...env, AWS_ENDPOINT_URL: 'unused' }).storeAccess).toBeNull()
  })

  test.each([
    [
      'smtps://ann%40example.org:p%40ss%2F@mail.example.org',
      { hostname: 'mail.example.org', port: 465, isTls: true, from: 'ann@example.org' },
      { user: 'ann@example.org', pass: 'p@ss/' },
    ],
    [
      'smtp://ann:secret@[::1]:2525?from=zip@example.org',
      { hostname: '::1', port: 2525, isTls: false, from: 'zip@example.org' },
      { user: 'ann', pass: 'secret' },
    ],
    [
      'smtp://localhost/?from=zip@localhost',
      { hostname: 'localhost', port: 587, isTls: false, from: 'zip@localhost' },
      null,
    ],
  ])('include the mail server: --smtp %s', (text, server, login) => {
    expect(loadConfig({ smtp: [text] }, {}).smtp).toEqual({ ...server, login })
  })

  test.each([
    ['localhost:0', { hostname: 'localhost', port: 0 }],
    ['[::1]:80', { hostname: '::1', port: 80 }],
  ])('include the address to listen at: --listen %s', (text, address) => {
    expect(loadConfig({ listen: [text] }, {}).listen).toEqual(address)
  })
})

test.each([
  ['500k', 500_000],
  ['20M', 20_000_000],
  ['1.5m', 1_500_000],
  ['1G', 1_000_000_000],
  ['1000', 1000],
])('--limit-rate %s is %d bytes per second', (text, rate) => {
  expect(loadConfig({ 'limit-rate': [text] }, {}).limitRate).toBe(rate)
})

test('A service has no proxy but that of its settings', () => {
  const env = { http_proxy: 'http://a:1', HTTPS_PROXY: 'http://a:1', ALL_PROXY: 'http://a:1' }
  expect(loadConfig({}, env).proxy).toBeNull()
  expect(loadConfig({}, { ...env, HOLDALL_PROXY: 'http://b:2' }).proxy).toMatchObject({
    hostname: 'b',
    port: 2,
  })
})

describe('--ca', () => {
  const dir = tempDir()
  afterAll(() => dir[Symbol.dispose]())
  const load = (...names: readonly string[]) => loadConfig({ ca: names.map((name) => dir.file(name)) }, {}).ca

  test('reads all certificates of all files, and nothing else in them', async () => {
    const [one, other] = [await selfSigned(dir, 'one.test'), await selfSigned(dir, 'other.test')]
    writeFileSync(dir.file('both.pem'), `Bag\r\n${one.key}${one.cert}${other.cert.replaceAll('\n', '\r\n')}`)
    const both = load('both.pem')
    expect(both).toHaveLength(2)
    expect(both.join()).not.toContain('PRIVATE')
    expect(load('one.test.crt', 'both.pem')).toHaveLength(3)
    expect(
      loadConfig({}, { HOLDALL_CA: `${dir.file('one.test.crt')},${dir.file('both.pem')}` }).ca,
    ).toHaveLength(3)
  })

  test.each([
    ['missing.pem', null, 'cannot be read'],
    ['empty.pem', '', 'has no certificate in PEM format'],
    ['der.cer', '\x30\x82\x01', 'has no certificate in PEM format'],
    [
      'damaged.pem',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'has a certificate that is damaged',
    ],
  ])('refuses %s', (name, text, problem) => {
    if (text !== null) writeFileSync(dir.file(name), text)
    expect(() => load(name)).toThrow(
      `--ca (HOLDALL_CA): expected a PEM file of certificates, but ${dir.file(name)} ${problem}`,
    )
  })
})

describe('--plans', () => {
  const withFile = async (json: string | Uint8Array) => {
    const dir = await mkdtemp(join(tmpdir(), 'holdall-plans-'))
    try {
      await Bun.write(join(dir, 'plans.json'), json)
      return loadConfig({ plans: [join(dir, 'plans.json')] }, {}).plans
    } finally {
      await rm(dir, { recursive: true })
    }
  }

  test.each([
    ['{"pro":{"max_urls":5001}}', 'pro max_urls must be at most 5000'],
    ['{"free":{"max_url":7}}', 'free must not have max_url'],
    ['[]', 'must be an object'],
  ])('has an error that says what is wrong with %s', async (json, problem) => {
    await expect(withFile(json)).rejects.toThrow(`(${problem})`)
  })

  test('overrides the limits that it names', async () => {
    const plans = await withFile('{"free":{"max_urls":7,"quota_gb_days":null},"pro":{"quota_gb_days":1.5}}')
    expect(plans.free).toMatchObject({ maxUrls: 7, quotaGbDays: null, maxRetentionSeconds: 86_400 })
    expect(plans.pro).toMatchObject({ maxUrls: 5_000, quotaGbDays: 1.5 })
  })

  test('may be saved by a Windows program', async () => {
    const json = '{"free":{"max_urls":7}}'
    for (const bytes of [Buffer.from(`\uFEFF${json}`), Buffer.from(`\uFEFF${json}`, 'utf16le')]) {
      expect((await withFile(bytes)).free.maxUrls).toBe(7)
    }
  })

  test.each([
    '{',
    '[]',
    '{"gold":{}}',
    '{"free":{"max_url":7}}',
    '{"free":{"max_urls":5001}}',
    '{"free":{"max_urls":"7"}}',
    '{"free":{"max_retention_seconds":299}}',
  ])('refuses %s', async (json) => {
    await expect(withFile(json)).rejects.toThrow('--plans')
  })
})

test.each([
  ['linux', '/home/ann/.local/share/holdall', '/home/ann', {}],
  ['linux', '/data/holdall', '/home/ann', { XDG_DATA_HOME: '/data' }],
  ['darwin', '/Users/ann/Library/Application Support/holdall', '/Users/ann', { XDG_DATA_HOME: '/data' }],
  ['win32', 'C:\\Users\\ann\\AppData\\Local\\holdall', 'C:\\Users\\ann', {}],
  ['win32', 'D:\\Local\\holdall', 'C:\\Users\\ann', { LOCALAPPDATA: 'D:\\Local' }],
] as const)('On %s, the default data directory is %s', (platform, path, home, env) => {
  expect(defaultDataDir(platform, home, env)).toBe(path)
})
