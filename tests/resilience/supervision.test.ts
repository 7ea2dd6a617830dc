import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { applyChanges } from '../../server/engine/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint.ts'
import type { JobOutcome } from '../../server/engine/job-order.ts'
import { WorkerCrashed } from '../../server/engine/job-runner.ts'
import { WorkerPool } from '../../server/engine/pool.ts'
import { openLog } from '../../server/logging/log.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())

const FRAIL_WORKER = new URL('../support/frail-worker.ts', import.meta.url)
const begunOf = (archivePath: string) => Number(readFileSync(`${archivePath}.begun`, 'utf8'))

/** What this process has open, where the system tells. */
function openFiles(): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const link = `/proc/self/fd/${descriptor}`
    return existsSync(link) ? [readlinkSync(link)] : []
  })
}

function frailPool() {
  const bounds = { total: 64, perHost: 32 }
  return new WorkerPool({
    workerUrl: FRAIL_WORKER,
    bounds,
    log: openLog(undefined, () => {}),
    heartbeatTimeoutMs: 1500,
  })
}

for (const sickness of ['throw', 'hang']) {
  test(`a thread that ${sickness}s is ended, and another goes on from its checkpoint`, async () => {
    using dir = tempDir()
    await using pool = frailPool()
    const archivePath = dir.file('a.zip')
    const small = `/bytes/20000/a.bin?frail=${sickness}-1-1500`
    const held = `/bytes/5000000/b.bin?stall_at=3000000&times=1&frail=${sickness}`
    let checkpoint: Checkpoint = { entries: [], move: null }
    const run = (): Promise<JobOutcome> =>
      pool.run(
        {
          jobId: sickness,
          group: sickness,
          archivePath,
          sources: [small, held].map((path) => ({ url: origin.url(path), filename: null })),
          failOnUrlError: true,
          maxZipBytes: 1e9,
          checkpoint,
          network: { allowedNetworks: ['127.0.0.0/8'], ownPort: null },
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

test('a thread that hangs does not hold up a stop for long, and its job goes on at the next start', async () => {
  await using service = await startService({}, { ...PROGRAM_FILES, workerUrl: FRAIL_WORKER })
  const path = '/bytes/1000/a.bin?delay_ms=2000&frail=hang-1-1'
  const { body } = await service.request('POST', '/jobs', { body: { urls: [origin.url(path)] } })
  const sick = `${service.dataDir}/data/archives/${body.job_id}.zip.sick`
  while (!existsSync(sick)) await Bun.sleep(5)
  const startedMs = performance.now()
  await service.restart()
  expect(performance.now() - startedMs).toBeWithin(4000, 8500)
  expect(await service.jobIn(body.job_id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
}, 30_000)

test('the service takes a job up again after a crash, and fails it with a clear error after ten', async () => {
  await using service = await startService({}, { ...PROGRAM_FILES, workerUrl: FRAIL_WORKER })
  const once = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&frail=throw-1-1')])
  expect(once.status).toBe('completed')
  const ever = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&frail=throw-99-1')])
  expect(ever).toMatchObject({ status: 'failed', failure: { code: 'INTERNAL_ERROR' } })
  expect(begunOf(`${service.dataDir}/data/archives/${ever.id}.zip`)).toBe(10)
  expect((await service.request('GET', '/health')).status).toBe(200)
}, 20_000)
