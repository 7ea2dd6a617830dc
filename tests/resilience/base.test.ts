// test group: long
import { expect, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import type { BaseOrder, SourceToPack } from '../../server/engine/job-order.ts'
import type { ReuseMode } from '../../server/vocabulary.ts'
import { reusedEntries, sourcesWithBase } from '../support/base.ts'
import { BODY_KINDS } from '../support/body-kinds.ts'
import { flipByte } from '../support/flip-byte.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { expectReadable } from '../support/readers.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { type TestJob, testJob } from '../support/test-job.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
/** How long a job waits for a store. */
const STORE_LIMIT_MS = 60_000

const BODIES = [...BODY_KINDS, { sizeBytes: 0, name: 'empty.bin', query: '' }] as const
const NAMES = BODIES.map(({ name }) => name)
const EXPECTED = BODIES.map(({ name, sizeBytes }) => ({ name, sizeBytes, sha256: expectedSha256(sizeBytes) }))

interface Based {
  readonly basePath: string
  readonly sources: readonly SourceToPack[]
  /** A job of the same list whose base is the archive of the first job. */
  readonly job: TestJob
  order(reuse: ReuseMode): { sources: readonly SourceToPack[]; base: BaseOrder }
  /** How often each URL was requested since the base was complete. */
  requests(): number[]
}

/** Completes an archive of these paths in the directory. */
async function packed(dir: TempDir, paths: readonly string[]) {
  const job = testJob(
    dir.file('base.zip'),
    paths.map((path) => origin.url(path)),
  )
  const outcome = await job.run()
  expect(outcome.status).toBe('completed')
  return { job, outcome }
}

/** `run` makes the URLs of a test its own. Neither names nor validators depend on it. */
const pathsOf = (run: string) =>
  BODIES.map(({ sizeBytes, name, query }) => `/bytes/${sizeBytes}/${name}?run=${run}${query}`)

/** Packed once: each test copies it. */
const base = await packed(forFile(tempDir()), pathsOf('base'))

/** An archive of all bodies, and the URLs of this run as its sources. */
function completedBase(dir: TempDir, run: string): Based {
  const basePath = dir.file('base.zip')
  copyFileSync(base.job.archivePath, basePath)
  return basedOn(dir, basePath, pathsOf(run), base)
}

/**
 * An archive of these paths alone.
 * @param gate at which the last path waits from now on; null for none
 */
async function ownBase(dir: TempDir, paths: readonly string[], gate: string | null = null): Promise<Based> {
  const own = await packed(dir, paths)
  const isLast = (index: number) => index === paths.length - 1
  const later = paths.map((path, index) => (gate !== null && isLast(index) ? `${path}&gate=${gate}` : path))
  return basedOn(dir, own.job.archivePath, later, own)
}

function basedOn(
  dir: TempDir,
  basePath: string,
  paths: readonly string[],
  { job, outcome }: Awaited<ReturnType<typeof packed>>,
): Based {
  const urls = paths.map((path) => origin.url(path))
  const before = paths.map((path) => origin.requests(path).length)
  const sources = sourcesWithBase(urls, job, outcome)
  return {
    basePath,
    sources,
    job: testJob(dir.file('next.zip'), urls),
    order: (reuse) => ({ sources, base: { path: basePath, link: null, reuse, keepFrom: null } }),
    requests: () => paths.map((path, index) => origin.requests(path).length - (before[index] ?? 0)),
  }
}

const reusedNames = (job: TestJob) => reusedEntries(job).map(({ name }) => name)

test.concurrent('copied entries keep their compression and their bytes, and every reader accepts them', async () => {
  using dir = tempDir()
  const { job, order, requests, basePath } = completedBase(dir, 'copied')
  expect(await job.run({ order: order('all') })).toMatchObject({ status: 'completed' })
  expect(requests()).toEqual(BODIES.map(() => 0))
  expect(reusedNames(job)).toEqual([...NAMES])
  await expectReadable(job.archivePath, EXPECTED)
  expect(await readZip(job.archivePath)).toEqual(await readZip(basePath))
  expect(job.progress.at(-1)).toMatchObject({
    fileCount: BODIES.length,
    reusedCount: BODIES.length,
    receivedBytes: 0,
  })
})

test.concurrent.each(
  (['all', 'unchanged'] as const).flatMap((reuse) =>
    BODIES.slice(0, -1).map(({ name }, position) => [name, reuse, position] as const),
  ),
)(
  'an entry of the base with a flipped bit is fetched anew, and the others are copied: %s, %s',
  async (name, reuse, damaged) => {
    using dir = tempDir()
    const { job, order, requests, sources, basePath } = completedBase(dir, `flipped-${reuse}-${name}`)
    const { offset = 0, headerBytes = 0, compressedBytes = 0 } = sources[damaged]?.base ?? {}
    flipByte(basePath, offset + headerBytes + Math.floor(compressedBytes / 2))
    expect(await job.run({ order: order(reuse) })).toMatchObject({ status: 'completed' })
    // Its source was asked, answered 304, and was then asked for the whole body.
    const asked = reuse === 'all' ? 0 : 1
    expect(requests()).toEqual(BODIES.map((_, position) => asked + (position === damaged ? 1 : 0)))
    expect(reusedNames(job)).toEqual(NAMES.filter((_, position) => position !== damaged))
    await expectReadable(job.archivePath, EXPECTED)
  },
)

test.concurrent.each(['small.bin', 'large.txt', 'empty.bin'] as const)(
  'an entry of the base with a wrong local header is fetched anew: %s',
  async (name) => {
    using dir = tempDir()
    const { job, order, requests, sources, basePath } = completedBase(dir, `header-${name}`)
    const damaged = NAMES.indexOf(name)
    flipByte(basePath, (sources[damaged]?.base?.offset ?? 0) + 8)
    expect(await job.run({ order: order('all') })).toMatchObject({ status: 'completed' })
    expect(requests()).toEqual(BODIES.map((_, position) => (position === damaged ? 1 : 0)))
    await expectReadable(job.archivePath, EXPECTED)
  },
)

test.concurrent('what a base that was cut no longer has is fetched', async () => {
  using dir = tempDir()
  const { job, order, sources, basePath } = completedBase(dir, 'cut')
  const whole = await Bun.file(basePath).bytes()
  const cutAt = (sources[3]?.base?.offset ?? 0) + 1_500_000
  await Bun.write(basePath, whole.subarray(0, cutAt))
  expect(await job.run({ order: order('all') })).toMatchObject({ status: 'completed' })
  const kept = sources.filter(
    ({ base }) => base !== undefined && base.offset + base.headerBytes + base.compressedBytes <= cutAt,
  )
  expect(reusedNames(job)).toEqual(kept.map(({ base }) => base?.name ?? ''))
  await expectReadable(job.archivePath, EXPECTED)
})

test.concurrent.each(['all', 'unchanged'] as const)(
  'all sources are fetched when the base no longer exists, with %s',
  async (reuse) => {
    using dir = tempDir()
    const { job, order, requests, basePath } = completedBase(dir, `gone-${reuse}`)
    rmSync(basePath)
    expect(await job.run({ order: order(reuse) })).toMatchObject({ status: 'completed' })
    expect(requests()).toEqual(BODIES.map(() => 1))
    expect(reusedNames(job)).toEqual([])
    await expectReadable(job.archivePath, EXPECTED)
  },
)

test.concurrent('a base that is deleted during the run is copied to the end', async () => {
  using dir = tempDir()
  // The first copy is committed while the source of the second still waits.
  const paths = ['/bytes/1000/a.bin?run=deleted', '/bytes/2000/b.bin?run=deleted']
  const { job, order, basePath } = await ownBase(dir, paths, 'deleted')
  const deleteBase = () => {
    rmSync(basePath, { force: true })
    origin.open('deleted')
  }
  expect(await job.run({ order: order('unchanged'), onCommit: deleteBase })).toMatchObject({
    status: 'completed',
  })
  expect(reusedNames(job)).toEqual(['a.bin', 'b.bin'])
}, 180_000)

test.concurrent('a run that is stopped between two copies continues, and fetches the rest if the base has gone', async () => {
  using dir = tempDir()
  const paths = ['/bytes/40000/a.bin?run=stopped', '/bytes/2000/b.bin?run=stopped']
  const { job, order, basePath, requests } = await ownBase(dir, paths, 'stopped')
  const stop = new AbortController()
  const onCommit = () => stop.abort()
  expect(await job.run({ order: order('unchanged'), stop: stop.signal, onCommit })).toEqual({
    status: 'stopped',
  })
  expect(reusedNames(job)).toEqual(['a.bin'])
  rmSync(basePath)
  origin.open('stopped')
  expect(await job.run({ order: order('unchanged') })).toMatchObject({ status: 'completed' })
  expect(job.progress.at(-1)).toMatchObject({ fileCount: 2, reusedCount: 1 })
  expect(requests()[0]).toBe(1)
  await expectReadable(job.archivePath, [
    { name: 'a.bin', sizeBytes: 40_000, sha256: expectedSha256(40_000) },
    { name: 'b.bin', sizeBytes: 2_000, sha256: expectedSha256(2_000) },
  ])
}, 180_000)

test.concurrent(
  'a run whose base is in an archive store that does not respond stops at once',
  async () => {
    using dir = tempDir()
    const based = completedBase(dir, 'silent')
    const { base, sources } = based.order('all')
    const path = '/bytes/100/silent.zip?gate=silent'
    const stop = new AbortController()
    const order = { sources, base: { ...base, link: origin.url(path) } }
    const outcome = based.job.run({ order, stop: stop.signal })
    await until('the store is asked for the base', () => origin.requests(path).length > 0)
    stop.abort()
    expect((await outcome).status).toBe('stopped')
  },
  STORE_LIMIT_MS / 2,
)

test.concurrent('an entry whose local header fills a gap of the base is copied', async () => {
  using dir = tempDir()
  // The broken body holds the first space until the other one has its own. Its gap is too small to be closed by a move.
  const paths = [
    '/bytes/30000/broken.bin?cut_at=10000&bytes_per_second=30000&etag=none&run=gap',
    '/bytes/40000/kept.bin?run=gap&delay_ms=100',
  ]
  const { job, order, sources, requests } = await ownBase(dir, paths)
  expect(sources[1]?.base).toMatchObject({ offset: 0 })
  expect(sources[1]?.base?.headerBytes).toBeGreaterThan(30_000)
  expect(await job.run({ order: order('all') })).toMatchObject({ status: 'completed', fileCount: 1 })
  expect(requests()[1]).toBe(0)
  await expectReadable(job.archivePath, [
    { name: 'kept.bin', sizeBytes: 40_000, sha256: expectedSha256(40_000) },
  ])
})

test.concurrent('copied entries count in the size limit', async () => {
  using dir = tempDir()
  const { job, order } = completedBase(dir, 'limit')
  expect(await job.run({ order: { ...order('all'), maxZipBytes: 1_000_000 } })).toMatchObject({
    status: 'failed',
    failure: { code: 'ZIP_SIZE_EXCEEDED' },
  })
})
