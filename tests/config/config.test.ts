import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, SETTINGS } from '../../server/config/config.ts'
import { defaultDataDir } from '../../server/config/setting-values.ts'

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
    ['localhost:0', { hostname: 'localhost', port: 0 }],
    ['[::1]:80', { hostname: '::1', port: 80 }],
  ])('include the address to listen at: --listen %s', (text, address) => {
    expect(loadConfig({ listen: [text] }, {}).listen).toEqual(address)
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
