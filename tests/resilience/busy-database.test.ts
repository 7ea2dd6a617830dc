// test group: long
import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { MAX_STOP_MS } from '../support/max-stop.ts'
import { startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

/** Locks the database for writing, as another program may do, until disposed of. */
function lockDatabase(service: TestService) {
  const sqlite = new Sqlite(join(service.dataDir, 'holdall.db'))
  sqlite.run('PRAGMA busy_timeout = 10000')
  sqlite.run('BEGIN IMMEDIATE')
  return {
    [Symbol.dispose]() {
      sqlite.run('ROLLBACK')
      sqlite.close()
    },
  }
}

test('while another program locks the database, no job fails, reads work, and writes are UNAVAILABLE', async () => {
  await using service = await startService()
  await using sources = startSources()
  const create = (paths: readonly string[]) =>
    service.request('POST', '/jobs', { body: { urls: paths.map((path) => sources.url(path)) } })
  const { body } = await create(['/ok/a', '/ok/b', '/slow'])
  await service.jobIn(body.job_id, ['processing'])
  const job = async () => (await service.request('GET', `/jobs/${body.job_id}`)).body.job
  {
    using _lock = lockDatabase(service)
    const refused = await create(['/ok/c'])
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    sources.release()
    // All files are packed, so only their rows are still missing.
    await until('three files are packed', async () => (await job()).file_count >= 3)
    for (const path of ['/health', `/jobs/${body.job_id}`, '/jobs', '/api-keys'])
      expect((await service.request('GET', path)).status).toBe(200)
    expect((await job()).status).toBe('processing')
  }
  const { status } = await service.jobIn(body.job_id, ['completed', 'failed'])
  expect(status).toBe('completed')
}, 180_000)

test('a job that could not be claimed is claimed again later, without another request', async () => {
  await using service = await startService({ jobs: ['1'] })
  await using sources = startSources()
  const create = async (path: string) => service.createJob({ urls: [sources.url(path)] })
  const running = await create('/slow')
  await service.jobIn(running, ['processing'])
  const waiting = await create('/ok/a')
  using db = new Sqlite(join(service.dataDir, 'holdall.db'))
  db.run('PRAGMA busy_timeout = 10000')
  db.run(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON jobs WHEN NEW.status = 'processing'
          BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  sources.release()
  expect((await service.jobIn(running, ['completed', 'failed'])).status).toBe('completed')
  await until('the job could not be claimed', () =>
    service.logged.some((line) => line.includes('could not be claimed')),
  )
  db.run('DROP TRIGGER refuse')
  expect((await service.jobIn(waiting, ['completed', 'failed'])).status).toBe('completed')
}, 180_000)

test('a service can be stopped while another program locks the database, and its jobs continue at the next start', async () => {
  await using service = await startService()
  await using sources = startSources()
  const jobId = await service.createJob({ urls: [sources.url('/ok/a'), sources.url('/slow')] })
  await service.jobIn(jobId, ['processing'])
  {
    using _lock = lockDatabase(service)
    const startedMs = performance.now()
    await service.app[Symbol.asyncDispose]()
    expect(performance.now() - startedMs).toBeLessThan(MAX_STOP_MS)
  }
  sources.release()
  await service.restart()
  expect((await service.jobIn(jobId, ['completed', 'failed'])).status).toBe('completed')
}, 180_000)
