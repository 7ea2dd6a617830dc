import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { errorEnvelope } from '../../server/http/error-schema.ts'
import { type Client, clientOf, signIn } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const MB = 1_000_000
const EXECUTABLE_USER_IS_ROOT = process.getuid?.() === 0

let data: TempDir
let archives: TempDir
let holdall: Holdall
let client: Client

/** Data and archives lie on a disk of their own each, which only the executable sees. */
function withTwoDisks(): string[] {
  const script = `mount -t tmpfs -o size=${150 * MB} tmpfs "$0" && mount -t tmpfs -o size=${200 * MB} tmpfs "$1" && shift && exec "$@"`
  return ['unshare', EXECUTABLE_USER_IS_ROOT ? '-m' : '-rm', 'sh', '-c', script, data.path, archives.path]
}

/** A path as the executable sees it. */
const seen = (path: string) => `/proc/${holdall.pid}/root${path}`

/** Lays what can only be read over a directory, or takes it away: a file system in use cannot be remounted so. */
function overlay(path: string, how: 'read-only' | 'gone'): void {
  const user = EXECUTABLE_USER_IS_ROOT ? [] : ['-U', '--preserve-credentials']
  const script = how === 'gone' ? 'umount "$0"' : 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
  const command = ['nsenter', '-t', `${holdall.pid}`, ...user, '-m', 'sh', '-c', script, path]
  const { exitCode, stderr } = Bun.spawnSync(command)
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

/** The disks are looked at once a second at most. */
async function untilHealth(status: number): Promise<string> {
  for (;;) {
    const response = await fetch(`${holdall.address}/health`)
    if (response.status === status) return await response.text()
    await Bun.sleep(50)
  }
}

beforeAll(async () => {
  data = tempDir()
  archives = tempDir()
  const args = ['--data', data.path, '--archives', archives.path]
  holdall = await startHoldall({ args, under: withTwoDisks() })
  client = clientOf(() => holdall.address, (await signIn(await holdall.signInLink())).key)
})
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  archives[Symbol.dispose]()
  data[Symbol.dispose]()
})

test('with a full data disk writes are 503, and health with them; with room again both work', async () => {
  const fill = seen(`${data.path}/fill`)
  expect(() => writeFileSync(fill, new Uint8Array(160 * MB))).toThrow('ENOSPC')
  for (const [path, body] of [
    ['/api-keys', { name: 'x' }],
    ['/jobs', { urls: ['http://127.0.0.1:1/'] }],
  ] as const) {
    const response = await client.request('POST', path, body)
    expect([path, response.status]).toEqual([path, 503])
    expect(errorEnvelope.parse(await response.json()).error.code).toBe('UNAVAILABLE')
  }
  expect(await untilHealth(503)).toMatch(
    /data directory cannot be written|disk of the database is nearly full/,
  )
  expect((await client.request('GET', '/jobs')).status).toBe(200)

  rmSync(fill)
  await untilHealth(200)
  const created = await client.request('POST', '/api-keys', { name: 'x' })
  expect(created.status).toBe(201)
})

test('with little room on the data disk no job is taken, and health says so', async () => {
  const fill = seen(`${data.path}/fill`)
  writeFileSync(fill, new Uint8Array(80 * MB))
  expect(await untilHealth(503)).toContain('disk of the database is nearly full')
  expect((await client.request('POST', '/jobs', { urls: ['http://127.0.0.1:1/'] })).status).toBe(503)
  rmSync(fill)
  await untilHealth(200)
})

test('with an archive disk that is full, or can only be read, health is 503 as long as it is', async () => {
  const fill = seen(`${archives.path}/fill`)
  expect(() => writeFileSync(fill, new Uint8Array(210 * MB))).toThrow('ENOSPC')
  expect(await untilHealth(503)).toContain('archive directory cannot be written (ENOSPC)')
  rmSync(fill)
  await untilHealth(200)

  overlay(archives.path, 'read-only')
  expect(await untilHealth(503)).toContain('archive directory cannot be written (EROFS)')
  overlay(archives.path, 'gone')
  await untilHealth(200)
})

test('each change is one line of the log', () => {
  const lines = holdall.output().split('\n')
  expect(lines.filter((line) => line.includes('Holdall can work again'))).toHaveLength(4)
  expect(lines.filter((line) => line.includes('Holdall cannot work')).length).toBeLessThanOrEqual(6)
})
