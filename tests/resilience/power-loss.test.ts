// test group: prompt
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { Checkpoint, CheckpointChange } from '../../server/engine/checkpoint/checkpoint.ts'
import type { JobOrder } from '../../server/engine/job-order.ts'
import { openLocalRunner } from '../../server/engine/threads/local-runner.ts'
import { FETCH_LIMITS } from '../../server/fetching/attempts/fetch-limits.ts'
import { DEFAULT_FETCH_SETTINGS } from '../support/default-fetch-settings.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { plainOrder } from '../support/plain-order.ts'
import { readZip } from '../support/read-zip.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type DiskEvent, recordDisk } from './disk-recorder.ts'
import { losePower, type Survivors } from './power-loss.ts'

const origin = forFile(await startOrigin())

/**
 * In-memory, in-place and spooled bodies, which arrive at different times. Some break off, and their space becomes
 * free.
 */
const good = [
  { path: '/bytes/3000/small.txt?type=text/plain', sizeBytes: 3000 },
  { path: '/bytes/9000/block.bin?framing=chunked&delay_ms=300', sizeBytes: 9000 },
  { path: '/bytes/40000/in-place.bin', sizeBytes: 40_000 },
  { path: '/bytes/1500000/slow.bin?bytes_per_second=650000', sizeBytes: 1_500_000 },
  { path: '/bytes/2100000/unknown.bin?framing=chunked&bytes_per_second=650000', sizeBytes: 2_100_000 },
  { path: '/bytes/300000/late.bin?delay_ms=1600', sizeBytes: 300_000 },
  { path: '/bytes/200000/later.bin?delay_ms=2400', sizeBytes: 200_000 },
  { path: '/bytes/20000/last.bin?delay_ms=2700', sizeBytes: 20_000 },
]
/** The first one breaks off for the last time when all others have arrived: its space is a gap in front of them. */
const bad = [
  '/bytes/900000/cut.bin?cut_at=700000&bytes_per_second=400000&etag=none&last_modified=none',
  '/bytes/250000/broken.bin?cut_at=200000&delay_ms=1200',
  '/status/404',
]
const paths = [
  bad[0],
  ...good.slice(0, 4).map(({ path }) => path),
  bad[1],
  bad[2],
  ...good.slice(4).map(({ path }) => path),
]
const expected = good.map(({ sizeBytes }) => ({ sizeBytes, sha256: expectedSha256(sizeBytes) }))

function orderOf(archivePath: string, checkpoint: Checkpoint): JobOrder {
  const urls = paths.map((path) => origin.url(path ?? ''))
  return { ...plainOrder(archivePath, urls), failOnUrlError: false, checkpoint }
}

/** Each recovery has its own connections, so that they do not wait for each other. */
const openRunner = () =>
  openLocalRunner({
    workerUrl: PROGRAM_FILES.workerUrl,
    bounds: { total: 64, perHost: 32 },
    nowMs: () => performance.now(),
    fetching: { ...DEFAULT_FETCH_SETTINGS, limits: { ...FETCH_LIMITS, firstBackoffMs: 50 } },
    hostGivenUp() {},
    proxyFailed() {},
    internalError: (error) => {
      throw error
    },
  })
const never = new AbortController().signal

async function recordRun(archivePath: string): Promise<readonly DiskEvent[]> {
  using recorder = recordDisk()
  const jobRecorder = { commit: recorder.commit, progress() {} }
  const outcome = await openRunner().run(
    orderOf(archivePath, { entries: [], move: null, settledBytes: 0 }),
    jobRecorder,
    never,
  )
  expect(outcome).toMatchObject({ status: 'completed' })
  return [...recorder.events, { kind: 'rename' }]
}

function storedAt(change: CheckpointChange): { position: number; offset: number }[] {
  return change.kind === 'put' && change.entry.status === 'stored' ? [change.entry] : []
}

async function recover(archivePath: string, { file, isFinished, checkpoint }: Survivors): Promise<void> {
  writeFileSync(isFinished ? archivePath : `${archivePath}.part`, file)
  const outcome = await openRunner().run(
    orderOf(archivePath, checkpoint),
    { async commit() {}, progress() {} },
    never,
  )
  expect(outcome).toMatchObject({ status: 'completed' })
  expect(await readZip(archivePath)).toMatchObject(expected)
}

test('after a power loss at any critical moment, the next run completes the archive byte for byte', async () => {
  using dir = tempDir()
  const events = await recordRun(dir.file('recorded.zip'))
  const count = (kind: DiskEvent['kind']) => events.filter((event) => event.kind === kind).length
  expect(count('sync')).toBeGreaterThan(3)
  const puts = events.flatMap((event) => (event.kind === 'commit' ? event.changes : [])).flatMap(storedAt)
  // Closing the gaps must have moved at least one entry.
  expect(new Set(puts.map(({ position }) => position)).size).toBeLessThan(puts.length)

  const random = seededRandom(7)
  // Tries the moment after each event other than a write, and random moments in between.
  const critical = events.flatMap((event, index) => (event.kind === 'write' ? [] : [index + 1]))
  const others = Array.from({ length: 20 }, () => Math.floor(random() * events.length))
  const losses = [...critical, ...others].map((at) => losePower(events, at, random))
  // Recovers concurrently, because each run mostly waits for slow sources.
  await Promise.all(losses.map((loss, index) => recover(dir.file(`${index}.zip`), loss)))
}, 120_000)
