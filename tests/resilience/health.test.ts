import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { archivesIn } from '../support/archives-in.ts'
import { startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const MAIN = join(import.meta.dir, '../../server/main.ts')
const MB = 1024 * 1024

const dataOf = (service: TestService) => join(service.dataDir, 'data')
const health = (service: TestService) => service.request('GET', '/health', { key: null })
const createKey = (service: TestService) => service.request('POST', '/api-keys', { body: { name: 'x' } })

/** The answer is looked up anew once a second at most. */
async function untilHealth(service: TestService, status: number) {
  for (;;) {
    const reply = await health(service)
    if (reply.status === status) return reply
    await Bun.sleep(20)
  }
}

async function holdallHealth(data: string) {
  const child = Bun.spawn([process.execPath, MAIN, 'health', '--data', data], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

describe('GET /health is 503 when the service cannot work, and writes are', () => {
  test('while the data directory was moved away; both work again when it is back', async () => {
    await using service = await startService()
    const away = join(service.dataDir, 'away')
    renameSync(dataOf(service), away)
    const refused = await createKey(service)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    const sick = await untilHealth(service, 503)
    expect(sick.body.error).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/database|data directory/),
    })
    expect(JSON.stringify(sick.body)).not.toContain(service.dataDir)

    renameSync(away, dataOf(service))
    await untilHealth(service, 200)
    expect((await createKey(service)).status).toBe(201)
    const { body } = await service.request('GET', '/api-keys')
    expect(body.api_keys).toHaveLength(2)
    const told = service.logged.filter((line) => line.includes('Holdall can'))
    expect(told).toEqual([expect.stringContaining('cannot work'), expect.stringContaining('can work again')])
  })

  test('when its database was replaced by another one', async () => {
    await using service = await startService()
    const path = join(dataOf(service), 'holdall.db')
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
    for (const [method, target, body] of [
      ['POST', '/api-keys', {}],
      ['POST', '/jobs', { urls: ['http://127.0.0.1:9/'] }],
      ['POST', '/sign-in', { token: 'x' }],
    ] as const) {
      const reply = await service.request(method, target, { body })
      expect([target, reply.status]).toEqual([target, 503])
    }
    expect((await untilHealth(service, 503)).body.error.message).toContain('database')
  })

  test('while its archive directory is missing or was replaced', async () => {
    await using service = await startService()
    const archives = join(dataOf(service), 'archives')
    renameSync(archives, `${archives}-away`)
    expect((await untilHealth(service, 503)).body.error.message).toContain('archive directory')
    const refused = await service.request('POST', '/jobs', { body: { urls: ['http://127.0.0.1:9/'] } })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    mkdirSync(archives)
    writeFileSync(join(archives, 'holdall-owner'), 'somebody\n')
    expect((await untilHealth(service, 503)).body.error.message).toContain('archive directory')
    rmSync(join(archives, 'holdall-owner'))
    rmdirSync(archives)
    renameSync(`${archives}-away`, archives)
    await untilHealth(service, 200)
    expect(archivesIn(dataOf(service))).toEqual([])
  })

  test('while a disk has no more than its reserve free', async () => {
    await using service = await startService()
    service.setFreeBytes(() => 96 * MB - 1)
    expect((await untilHealth(service, 503)).body.error.message).toContain('nearly full')
    service.setFreeBytes(() => 96 * MB)
    await untilHealth(service, 200)
  })
})

test('GET /health does not wait for another program that holds the database', async () => {
  await using service = await startService()
  using other = new Database(join(dataOf(service), 'holdall.db'))
  other.run('BEGIN EXCLUSIVE')
  const startedMs = performance.now()
  expect((await health(service)).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  other.run('ROLLBACK')
})

describe('holdall health', () => {
  test('says why the service cannot work', async () => {
    await using service = await startService()
    expect(await holdallHealth(dataOf(service))).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
    service.setFreeBytes(() => 0)
    await untilHealth(service, 503)
    const { code, stderr } = await holdallHealth(dataOf(service))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^holdall: Holdall cannot work. .*nearly full.*\n$/),
    ])
  })

  test.each([
    ['a service that was killed', (origin: string) => `${origin}\n${origin}\n${crypto.randomUUID()}\n`],
    ['an earlier version', (origin: string) => `${origin}\n${origin}`],
    ['a full disk', () => ''],
  ])('takes nobody who answers at an address that %s has left for its own service', async (_whose, left) => {
    await using other = await startService()
    using dir = tempDir()
    mkdirSync(dir.file('data'))
    writeFileSync(dir.file('data/service-origin'), left(other.origin))
    const { code, stdout, stderr } = await holdallHealth(dir.file('data'))
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('No Holdall runs on this data directory'),
    ])
  })

  test('counts archives that are damaged', async () => {
    await using service = await startService()
    await using sources = startSources()
    const job = await service.finishedJob([sources.url('/ok/a')])
    rmSync(join(dataOf(service), 'archives', `${job.id}.zip`))
    expect((await fetch(job.download_url)).status).toBe(503)
    expect(await health(service)).toMatchObject({ status: 200, body: { damaged_archives: 1 } })
    const { code, stdout, stderr } = await holdallHealth(dataOf(service))
    expect([code, stdout, stderr]).toEqual([0, 'ok\n', expect.stringContaining('damaged: 1')])
  })
})
