import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { applyChanges } from '../../server/engine/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint.ts'
import type { JobOrder, JobOutcome } from '../../server/engine/job-order.ts'
import { WorkerCrashed } from '../../server/engine/job-runner.ts'
import { WorkerPool, type WorkerPoolOptions } from '../../server/engine/pool.ts'
import { openLog } from '../../server/logging/log.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())

const FRAIL_WORKER = new URL('../support/frail-worker.ts', import.meta.url)
const begunOf = (archivePath: string) => Number(readFileSync(`${archivePath}.begun`, 'utf8'))

/** The files that this process has open; empty where the system does not list them. */
function openFiles(): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const link = `/proc/self/fd/${descriptor}`
    return existsSync(link) ? [readlinkSync(link)] : []
  })
}

function frailPool(options: Partial<WorkerPoolOptions> = {}) {
  const bounds = { total: 64, perHost: 32 }
  return new WorkerPool({
    workerUrl: FRAIL_WORKER,
    bounds,
    log: openLog(undefined, () => {}),
    heartbeatTimeoutMs: 1500,
    ...options,
  })
}

function orderOf(archivePath: string, urls: readonly string[]): JobOrder {
  return {
    jobId: 'frail',
    group: 'frail',
    archivePath,
    sources: urls.map((url) => ({ url, filename: null })),
    failOnUrlError: true,
    maxZipBytes: 1e9,
    checkpoint: { entries: [], move: null },
    network: { allowedNetworks: ['127.0.0.0/8'], ownPort: null },
  }
}

for (const sickness of ['throw', 'hang']) {
  test(`a thread that ${sickness}s is terminated, and another one resumes from its checkpoint`, async () => {
    using dir = tempDir()
    await using pool = frailPool()
    const archivePath = dir.file('a.zip')
    const small = `/bytes/20000/a.bin?frail=${sickness}-1-1500`
    const held = `/bytes/5000000/b.bin?stall_at=3000000&times=1&frail=${sickness}`
    let checkpoint: Checkpoint = { entries: [], move: null }
    const run = (): Promise<JobOutcome> =>
      pool.run(
        {
          ...orderOf(
            archivePath,
            [small, held].map((path) => origin.url(path)),
          ),
          checkpoint,
        },
        {
          commit({ changes }) {
            checkpoint = applyChanges(checkpoint, changes)
          },
          progress() {},
        },
        new AbortController().signal,
      )
    await expect(run()).rejects.toBeInstanceOf(WorkerCrashed)
    expect(openFiles().filter((path) => path.startsWith(dir.path))).toEqual([])
    expect(checkpoint.entries.map(({ status }) => status).sort()).toEqual(['partial', 'stored'])

    expect(await run()).toMatchObject({ status: 'completed' })
    expect(origin.requests(small)).toHaveLength(1)
    expect(origin.requests(held)[1]?.headers.get('range')).toMatch(/^bytes=\d+-$/)
    expect(await readZip(archivePath)).toMatchObject([
      { sha256: expectedSha256(20_000) },
      { sha256: expectedSha256(5_000_000) },
    ])
    expect(begunOf(archivePath)).toBe(2)
  }, 20_000)
}

test('a thread that hangs is terminated when its job does not stop in time', async () => {
  using dir = tempDir()
  // The thread could only be terminated for the stop: the missing heartbeats would take an hour.
  await using pool = frailPool({ stopTimeoutMs: 100, heartbeatTimeoutMs: 3_600_000 })
  const archivePath = dir.file('a.zip')
  const stop = new AbortController()
  const url = origin.url('/bytes/1000/a.bin?delay_ms=2000&frail=hang-1-1')
  const run = pool.run(orderOf(archivePath, [url]), { commit() {}, progress() {} }, stop.signal)
  while (!existsSync(`${archivePath}.sick`)) await Bun.sleep(5)
  stop.abort()
  await expect(run).rejects.toThrow('the thread did not stop')
})

test('a job whose thread hangs at a stop of the service resumes at the next start', async () => {
  await using service = await startService({}, { ...PROGRAM_FILES, workerUrl: FRAIL_WORKER })
  const path = '/bytes/1000/a.bin?delay_ms=2000&frail=hang-1-1'
  const { body } = await service.request('POST', '/jobs', { body: { urls: [origin.url(path)] } })
  const sick = `${service.dataDir}/data/archives/${body.job_id}.zip.sick`
  while (!existsSync(sick)) await Bun.sleep(5)
  await service.restart()
  expect(await service.jobIn(body.job_id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
}, 30_000)

test('the service resumes a job after a crash, and fails it with a clear error after ten crashes', async () => {
  await using service = await startService({}, { ...PROGRAM_FILES, workerUrl: FRAIL_WORKER })
  const once = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&frail=throw-1-1')])
  expect(once.status).toBe('completed')
  const ever = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&frail=throw-99-1')])
  expect(ever).toMatchObject({ status: 'failed', failure: { code: 'INTERNAL_ERROR' } })
  expect(begunOf(`${service.dataDir}/data/archives/${ever.id}.zip`)).toBe(10)
  expect((await service.request('GET', '/health')).status).toBe(200)
}, 20_000)
