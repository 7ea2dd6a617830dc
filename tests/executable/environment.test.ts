// test group: long
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { signInOwner } from '../support/client.ts'
import { openDesktopSession } from '../support/desktop-session.ts'
import { EXECUTABLE, startHoldall } from '../support/executable.ts'
import { forFile } from '../support/for-file.ts'
import { resultOf } from '../support/holdall-command.ts'
import { startReceiver } from '../support/receiver.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

// What the environment may change is listed in the README. All other variables belong to other programs on the machine.

const dir = forFile(tempDir())
const receiver = forFile(startReceiver(await selfSigned(dir, 'localhost')))
const CA = dir.file('localhost.crt')
const preload = dir.file('preload.js')
writeFileSync(preload, 'globalThis.preloaded = true')

/** Each of these makes Bun trust the receiver, or more than that. */
const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
  { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  { SSL_CERT_FILE: CA },
  { SSL_CERT_FILE: CA, NODE_USE_SYSTEM_CA: '1' },
  { SSL_CERT_FILE: CA, NODE_OPTIONS: '--use-openssl-ca' },
  { SSL_CERT_FILE: CA, BUN_OPTIONS: '--use-system-ca' },
  { BUN_CONFIG_VERBOSE_FETCH: 'curl', BUN_CONFIG_CA: CA },
  { BUN_OPTIONS: `--preload ${preload}` },
]

describe('No variable of the environment makes a certificate trusted, or shows what is sent', () => {
  test.each(ENVIRONMENTS)(
    '%j: webhooks and the archive store',
    async (env) => {
      await using holdall = await startHoldall({
        args: ['--allow-network', '::1/128', '--archive-store', 's3://zips'],
        env: {
          ...env,
          AWS_ACCESS_KEY_ID: 'id',
          AWS_SECRET_ACCESS_KEY: 'secret-of-the-bucket',
          AWS_ENDPOINT_URL: new URL(receiver.url()).origin,
        },
      })
      const client = await signInOwner(holdall)
      const created = await client.request('POST', '/webhooks', { url: receiver.url() })
      const { id } = JSON.parse(await created.text()).webhook
      await client.request('POST', `/webhooks/${id}/test`)
      const jobId = await client.createJob({ urls: [receiver.url('/a.bin')] })
      expect(await client.untilEnded(jobId)).toMatchObject({
        status: 'failed',
        errors: [{ error: 'TLS certificate not trusted' }],
      })
      const ping = async () => {
        const response = await client.request('GET', `/webhooks/${id}/deliveries`)
        const { deliveries } = JSON.parse(await response.text())
        return deliveries.find(({ type }: { type: string }) => type === 'ping')
      }
      await until('the ping is delivered', async () => (await ping()).status !== 'pending', { everyMs: 10 })
      expect(await ping()).toMatchObject({ status: 'failed', error: 'TLS certificate not trusted' })
      // The start asks the store which uploads are unfinished.
      await until('the silence of the store is logged', () =>
        holdall.output().includes('The archive store does not respond'),
      )
      expect(receiver.received).toEqual([])
      expect(holdall.output()).not.toContain('secret-of-the-bucket')
      expect(holdall.output()).not.toContain('webhook-signature')
    },
    120_000,
  )

  test.each(ENVIRONMENTS)('%j: holdall zip', async (env) => {
    using own = tempDir()
    const zip = [
      'zip',
      '-o',
      own.file('a.zip'),
      '--allow-network',
      '::1/128',
      '--allow-network',
      '127.0.0.0/8',
    ]
    const { exitCode, stderr } = await run([...zip, receiver.url('/a.bin')], env)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('TLS certificate not trusted')])
    expect(receiver.received).toEqual([])
  })
})

test('NODE_EXTRA_CA_CERTS adds certificates that are trusted', async () => {
  using own = tempDir()
  const zip = ['zip', '-o', own.file('a.zip'), '--allow-network', '::1/128', '--allow-network', '127.0.0.0/8']
  // The receiver answers 204, which is no file.
  const { stderr } = await run([...zip, receiver.url('/a.bin')], { NODE_EXTRA_CA_CERTS: CA })
  expect([stderr, receiver.received.length]).toEqual([expect.stringContaining('HTTP 204'), 1])
})

test('Programs that are started get the environment of the user, without the options of our runtime', async () => {
  using session = openDesktopSession()
  const seen = `${session.home}/seen`
  const systemctl = `${session.home}/bin/systemctl`
  writeFileSync(systemctl, `#!/bin/sh\nenv >> '${seen}'\n`)
  chmodSync(systemctl, 0o755)
  const env = { ...session.env, BUN_JSC_useFTLJIT: '1', MIMALLOC_PURGE_DELAY: '100', OWN: 'kept' }
  const child = Bun.spawn([...session.under, EXECUTABLE, 'install'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect((await resultOf(child)).exitCode).toBe(0)
  const text = readFileSync(seen, 'utf8')
  expect(text).toContain('OWN=kept')
  expect(text).toContain('BUN_JSC_useFTLJIT=1')
  expect(text).not.toContain('MIMALLOC_PURGE_DELAY')
})

test('A name is looked up by a program without the options of our runtime', async () => {
  using own = tempDir()
  const getent = own.file('getent')
  writeFileSync(getent, `#!/bin/sh\nenv > '${own.file('seen')}'\necho '127.0.0.1 STREAM box'\n`)
  chmodSync(getent, 0o755)
  const zip = ['zip', '-o', own.file('a.zip'), 'http://some-box:1/a.bin']
  const path = `${own.path}:${process.env.PATH}`
  await run(zip, { PATH: path })
  expect(existsSync(own.file('seen'))).toBe(true)
  expect(readFileSync(own.file('seen'), 'utf8')).not.toMatch(/^(BUN|MIMALLOC)_/m)
})

test.each(['--help', '-h', 'help', 'zip --help', 'serve -h', '--version'])(
  'holdall %s starts one process, and only once',
  async (line) => {
    using own = tempDir()
    const trace = own.file('calls')
    const strace = ['strace', '-f', '-qq', '-e', 'trace=execve', '-o', trace]
    const child = Bun.spawn([...strace, EXECUTABLE, ...line.split(' ')], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect((await resultOf(child)).exitCode).toBe(0)
    expect(readFileSync(trace, 'utf8').match(/execve\(/g)).toHaveLength(1)
  },
)

function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  return resultOf(
    Bun.spawn([EXECUTABLE, ...args], {
      env: { PATH: process.env.PATH, HOME: dir.path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}
