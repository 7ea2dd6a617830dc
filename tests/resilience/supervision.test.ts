// test group: prompt
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint/checkpoint.ts'
import type { JobOutcome } from '../../server/engine/job-order.ts'
import { WorkerCrashed } from '../../server/engine/job-runner.ts'
import { WorkerPool, type WorkerPoolOptions } from '../../server/engine/threads/pool.ts'
import { openLog } from '../../server/logging/log.ts'
import { DEFAULT_FETCH_SETTINGS } from '../support/default-fetch-settings.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { plainOrder } from '../support/plain-order.ts'
import { readZip } from '../support/read-zip.ts'
import { FAULTY_WORKER_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())

const runsOf = (archivePath: string) => Number(readFileSync(`${archivePath}.runs`, 'utf8'))

/** The open files of this process. Empty if the system does not list them. */
function openFiles(): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const link = `/proc/self/fd/${descriptor}`
    return existsSync(link) ? [readlinkSync(link)] : []
  })
}

function faultyPool(options: Partial<WorkerPoolOptions> = {}) {
  const bounds = { total: 64, perHost: 32 }
  return new WorkerPool({
    workerUrl: FAULTY_WORKER_FILES.workerUrl,
    reach: { bounds, fetching: DEFAULT_FETCH_SETTINGS },
    log: openLog(undefined, () => {}),
    // A thread sends a heartbeat each second, and takes long to start on a busy machine.
    heartbeatTimeoutMs: 8_000,
    ...options,
  })
}

for (const fault of ['throw', 'hang']) {
  test(`a thread that ${fault}s is terminated, and another one resumes from its checkpoint`, async () => {
    using dir = tempDir()
    await using pool = faultyPool()
    const archivePath = dir.file('a.zip')
    const small = `/bytes/20000/a.bin?fault=${fault}-1-go`
    const stalled = `/bytes/5000000/b.bin?stall_at=3000000&times=1&fault=${fault}`
    let checkpoint: Checkpoint = { entries: [], move: null, settledBytes: 0 }
    const statuses = () => checkpoint.entries.map(({ status }) => status).sort()
    const run = (): Promise<JobOutcome> =>
      pool.run(
        {
          ...plainOrder(
            archivePath,
            [small, stalled].map((path) => origin.url(path)),
          ),
          checkpoint,
        },
        {
          async commit({ changes }) {
            checkpoint = applyChanges(checkpoint, changes)
            if (statuses().join() === 'partial,stored') writeFileSync(`${archivePath}.go`, '')
          },
          progress() {},
        },
        new AbortController().signal,
      )
    await expect(run()).rejects.toBeInstanceOf(WorkerCrashed)
    expect(openFiles().filter((path) => path.startsWith(dir.path))).toEqual([])
    expect(statuses()).toEqual(['partial', 'stored'])

    expect(await run()).toMatchObject({ status: 'completed' })
    expect(origin.requests(small)).toHaveLength(1)
    expect(origin.requests(stalled)[1]?.headers.get('range')).toMatch(/^bytes=\d+-$/)
    expect(await readZip(archivePath)).toMatchObject([
      { sha256: expectedSha256(20_000) },
      { sha256: expectedSha256(5_000_000) },
    ])
    expect(runsOf(archivePath)).toBe(2)
  }, 180_000)
}

test('a thread that dies while the process has no free descriptor is replaced by another', async () => {
  using dir = tempDir()
  const script = join(import.meta.dir, '../support/crash-without-descriptors.ts')
  const url = origin.url('/bytes/1000/a.bin?delay_ms=1000&fault=throw-1-300')
  const child = Bun.spawn(['prlimit', '--nofile=256', process.execPath, script, dir.file('a.zip'), url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([...output, await child.exited]).toEqual(['completed', '', 0])
  expect(runsOf(dir.file('a.zip'))).toBe(2)
}, 180_000)

test('a thread that hangs is terminated when its job does not stop in time', async () => {
  using dir = tempDir()
  // With this heartbeat timeout, only the stop can terminate the thread.
  await using pool = faultyPool({ stopTimeoutMs: 100, heartbeatTimeoutMs: 3_600_000 })
  const archivePath = dir.file('a.zip')
  const stop = new AbortController()
  const url = origin.url('/bytes/1000/a.bin?delay_ms=2000&fault=hang-1-1')
  const run = pool.run(plainOrder(archivePath, [url]), { async commit() {}, progress() {} }, stop.signal)
  await until('the worker is at its fault', () => existsSync(`${archivePath}.fault`))
  stop.abort()
  await expect(run).rejects.toThrow('the thread did not stop')
})

test('a job whose thread hangs at a stop of the service resumes at the next start', async () => {
  await using service = await startService({}, FAULTY_WORKER_FILES)
  const path = '/bytes/1000/a.bin?delay_ms=2000&fault=hang-1-1'
  const jobId = await service.createJob({ urls: [origin.url(path)] })
  const fault = `${service.dataDir}/archives/${jobId}.zip.fault`
  await until('the worker is at its fault', () => existsSync(fault))
  await service.restart()
  expect(await service.jobIn(jobId, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
}, 180_000)

test('the service resumes a job after a crash, and fails it with a clear error after ten crashes', async () => {
  await using service = await startService({}, FAULTY_WORKER_FILES)
  const once = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&fault=throw-1-1')])
  expect(once.status).toBe('completed')
  const ever = await service.finishedJob([origin.url('/bytes/1000/a.bin?delay_ms=50&fault=throw-99-1')])
  expect(ever).toMatchObject({ status: 'failed', failure: { code: 'INTERNAL_ERROR' } })
  expect(runsOf(`${service.dataDir}/archives/${ever.id}.zip`)).toBe(10)
  expect((await service.request('GET', '/health')).status).toBe(200)
}, 180_000)
