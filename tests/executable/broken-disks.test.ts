// test group: idle
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { inMountNamespace } from '../support/mount-namespace.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const MB = 1_000_000
const IS_ROOT = process.getuid?.() === 0

let data: TempDir
let archives: TempDir
let holdall: Holdall
let client: Client

/** Gives the executable one small disk for data and another for archives. */
function withTwoDisks(): string[] {
  const mount = (path: string, sizeBytes: number) => `mount -t tmpfs -o size=${sizeBytes} tmpfs ${path}`
  const script = `${mount('"$1"', 150 * MB)} && ${mount('"$2"', 200 * MB)}`
  return inMountNamespace(script, data.path, archives.path)
}

/** A path in the mount namespace of the executable. */
const seen = (path: string) => `/proc/${holdall.pid}/root${path}`

/**
 * Makes a directory read-only by a second mount over it, because a file system in use cannot be remounted read-only.
 */
function setReadOnly(path: string, isReadOnly: boolean): void {
  const script = isReadOnly ? 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"' : 'umount "$0"'
  runInside(['sh', '-c', script, path])
}

/** Runs a command in the mount namespace of the executable. */
function runInside(command: readonly string[]): void {
  const user = IS_ROOT ? [] : ['-U', '--preserve-credentials']
  const { exitCode, stderr } = Bun.spawnSync(['nsenter', '-t', `${holdall.pid}`, ...user, '-m', ...command])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

/**
 * Polls, because the service checks its disks at most once per second, and a check may be running while a disk is being filled.
 * @param reason what the response must contain
 */
async function untilHealth(status: number, reason = /./): Promise<void> {
  const isAnswered = async () => {
    const response = await fetch(`${holdall.address}/health`)
    const text = await response.text()
    return response.status === status && reason.test(text)
  }
  await until(`/health is ${status} ${reason}`, isAnswered, { everyMs: 50 })
}

beforeAll(async () => {
  data = tempDir()
  archives = tempDir()
  const args = ['--data', data.path, '--archives', archives.path]
  holdall = await startHoldall({ args, under: withTwoDisks() })
  client = await signInOwner(holdall)
})
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  archives[Symbol.dispose]()
  data[Symbol.dispose]()
})

test('while the data disk is full, writes and /health are 503; both work again when it has space', async () => {
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
  await untilHealth(503, /data directory cannot be written|disk of the database is nearly full/)
  expect((await client.request('GET', '/jobs')).status).toBe(200)

  rmSync(fill)
  await untilHealth(200)
  const created = await client.request('POST', '/api-keys', { name: 'x' })
  expect(created.status).toBe(201)
})

test('while the data disk is full, jobs can be deleted and keys revoked, so that it has space again', async () => {
  const hasReserve = () => existsSync(seen(`${data.path}/holdall.db-reserve`))
  await until('space is reserved', hasReserve)
  const urls = Array.from({ length: 1_000 }, (_, index) => `http://127.0.0.1:1/${index}/`.padEnd(8_192, 'x'))
  const id = await client.createJob({ urls })
  expect((await client.request('POST', `/jobs/${id}/cancel`)).status).toBe(200)
  await client.untilEnded(id)
  const key: { api_key: { id: string } } = JSON.parse(
    await (await client.request('POST', '/api-keys', { name: 'leaked' })).text(),
  )
  // As after a start: the journal is short, and a deletion needs more space than it has.
  const shorten = [process.execPath, join(import.meta.dir, '../support/shorten-journal.ts')]
  runInside([...shorten, `${data.path}/holdall.db`])
  const fill = seen(`${data.path}/fill`)
  expect(() => writeFileSync(fill, new Uint8Array(160 * MB))).toThrow('ENOSPC')
  expect((await client.request('POST', '/api-keys', { name: 'x' })).status).toBe(503)
  expect((await client.request('DELETE', `/jobs/${id}`)).status).toBe(200)
  expect((await client.request('DELETE', `/api-keys/${key.api_key.id}`)).status).toBe(200)
  expect((await client.request('GET', `/jobs/${id}`)).status).toBe(404)
  rmSync(fill)
  await untilHealth(200)
  await until('space is reserved', hasReserve)
}, 120_000)

test('while the data disk is nearly full, no job is accepted and /health is 503', async () => {
  const fill = seen(`${data.path}/fill`)
  writeFileSync(fill, new Uint8Array(80 * MB))
  await untilHealth(503, /disk of the database is nearly full/)
  expect((await client.request('POST', '/jobs', { urls: ['http://127.0.0.1:1/'] })).status).toBe(503)
  rmSync(fill)
  await untilHealth(200)
})

test('while the archive disk is full or read-only, /health is 503', async () => {
  const fill = seen(`${archives.path}/fill`)
  expect(() => writeFileSync(fill, new Uint8Array(210 * MB))).toThrow('ENOSPC')
  await untilHealth(503, /archive directory cannot be written \(ENOSPC\)/)
  rmSync(fill)
  await untilHealth(200)

  setReadOnly(archives.path, true)
  await untilHealth(503, /archive directory cannot be written \(EROFS\)/)
  setReadOnly(archives.path, false)
  await untilHealth(200)
})

test('the log has one line per change of health', async () => {
  const linesWith = (text: string) =>
    holdall
      .output()
      .split('\n')
      .filter((line) => line.includes(text))
  // The output of the process arrives after its response.
  await until(
    'four lines say that Holdall can work again',
    () => linesWith('Holdall can work again').length >= 4,
  )
  expect(linesWith('Holdall can work again')).toHaveLength(4)
  expect(linesWith('Holdall cannot work').length).toBeLessThanOrEqual(6)
})
