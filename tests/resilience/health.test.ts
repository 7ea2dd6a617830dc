import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { archivesIn } from '../support/archives-in.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024

const health = (service: TestService) => service.request('GET', '/health', { key: null })
const createKey = (service: TestService) => service.request('POST', '/api-keys', { body: { name: 'x' } })

/** Polls, because the service checks its health at most once per second. */
async function untilHealth(service: TestService, status: number) {
  const isAnswered = async () => {
    const reply = await health(service)
    return reply.status === status && reply
  }
  return await until(`/health is ${status}`, isAnswered, { everyMs: 20 })
}

const holdallHealth = (data: string) => runCommand(['health', '--data', data])

describe('GET /health and writes are 503', () => {
  test('while the data directory is missing, and both work again when it is back', async () => {
    await using service = await startService()
    const away = `${service.dataDir}-away`
    renameSync(service.dataDir, away)
    const refused = await createKey(service)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    const unhealthy = await untilHealth(service, 503)
    expect(unhealthy.body.error).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/database|data directory/),
    })
    expect(JSON.stringify(unhealthy.body)).not.toContain(dirname(service.dataDir))

    renameSync(away, service.dataDir)
    await untilHealth(service, 200)
    expect((await createKey(service)).status).toBe(201)
    const { body } = await service.request('GET', '/api-keys')
    expect(body.api_keys).toHaveLength(2)
    const lines = service.logged.filter((line) => line.includes('Holdall can'))
    expect(lines).toEqual([expect.stringContaining('cannot work'), expect.stringContaining('can work again')])
  })

  test('after its database file was replaced', async () => {
    await using service = await startService()
    const path = join(service.dataDir, 'holdall.db')
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
    const archives = join(service.dataDir, 'archives')
    renameSync(archives, `${archives}-away`)
    expect((await untilHealth(service, 503)).body.error.message).toContain('archive directory')
    const refused = await service.request('POST', '/jobs', { body: { urls: ['http://127.0.0.1:9/'] } })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    mkdirSync(archives)
    writeFileSync(join(archives, 'holdall-owner'), 'somebody\n')
    expect((await untilHealth(service, 503)).body.error.message).toContain('archive directory')
    // A check may be writing its file there.
    rmSync(archives, { recursive: true, maxRetries: 10 })
    renameSync(`${archives}-away`, archives)
    await untilHealth(service, 200)
    expect(archivesIn(service.dataDir)).toEqual([])
  })

  test('while a disk has less free space than its reserve', async () => {
    await using service = await startService()
    service.setFreeBytes(() => 96 * MB - 1)
    expect((await untilHealth(service, 503)).body.error.message).toContain('nearly full')
    service.setFreeBytes(() => 96 * MB)
    await untilHealth(service, 200)
  })
})

test('GET /health does not wait for another program that locks the database', async () => {
  await using service = await startService()
  using other = new Database(join(service.dataDir, 'holdall.db'))
  other.run('BEGIN EXCLUSIVE')
  const startedMs = performance.now()
  expect((await health(service)).status).toBe(200)
  // Who watches the service would else take it for dead.
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  other.run('ROLLBACK')
})

describe('holdall health', () => {
  test('states the reason when the service cannot work', async () => {
    await using service = await startService()
    expect(await holdallHealth(service.dataDir)).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' })
    service.setFreeBytes(() => 0)
    await untilHealth(service, 503)
    const { exitCode, stderr } = await holdallHealth(service.dataDir)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^holdall: Holdall cannot work. .*nearly full.*\n$/),
    ])
  })

  test.each([
    ['a service that was killed', (origin: string) => `${origin}\n${origin}\n${crypto.randomUUID()}\n`],
    ['an earlier version', (origin: string) => `${origin}\n${origin}`],
    ['a full disk', () => ''],
  ])(
    'does not take another service for its own at an outdated address, left by %s',
    async (_what, contentFor) => {
      await using other = await startService()
      using dir = tempDir()
      mkdirSync(dir.file('data'))
      writeFileSync(dir.file('data/service-origin'), contentFor(other.origin))
      const { exitCode, stdout, stderr } = await holdallHealth(dir.file('data'))
      expect([exitCode, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringContaining('No Holdall runs on this data directory'),
      ])
    },
  )

  test('prints the number of damaged archives', async () => {
    await using service = await startService()
    await using sources = startSources()
    const job = await service.finishedJob([sources.url('/ok/a')])
    rmSync(join(service.dataDir, 'archives', `${job.id}.zip`))
    expect((await fetch(job.download_url)).status).toBe(503)
    expect(await health(service)).toMatchObject({ status: 200, body: { damaged_archives: 1 } })
    const { exitCode, stdout, stderr } = await holdallHealth(service.dataDir)
    expect([exitCode, stdout, stderr]).toEqual([0, 'ok\n', expect.stringContaining('damaged: 1')])
  })
})
