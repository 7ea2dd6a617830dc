// test group: long
import { expect, test } from 'bun:test'
import type { StoredEntry } from '../../server/engine/checkpoint/checkpoint.ts'
import { BODY_KINDS } from '../support/body-kinds.ts'
import { flipByte } from '../support/flip-byte.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type TestJob, testJob } from '../support/test-job.ts'

const origin = forFile(await startOrigin())

const BODIES = [...BODY_KINDS, { sizeBytes: 700, name: 'last.bin', query: '' }] as const
const EXPECTED = BODIES.map(({ name, sizeBytes }) => ({ name, sizeBytes, sha256: expectedSha256(sizeBytes) }))

/**
 * The paths of all bodies, unique per test, and of one that stalls in its first response, so that the job can be
 * stopped.
 */
function pathsOf(run: string): { whole: string[]; stalling: string } {
  return {
    whole: BODIES.map(({ sizeBytes, name, query }) => `/bytes/${sizeBytes}/${name}?run=${run}${query}`),
    stalling: `/bytes/5000/stalling.bin?run=${run}&stall_at=1000&times=1`,
  }
}

const STALLING = { name: 'stalling.bin', sizeBytes: 5000, sha256: expectedSha256(5000) }

/** Runs the job until all bodies are stored except the one that stalls. */
async function runUntilStalled(job: TestJob): Promise<void> {
  const stop = new AbortController()
  const onCommit = () => {
    if (job.checkpoint.entries.filter(({ status }) => status === 'stored').length === BODIES.length)
      stop.abort()
  }
  const limits = { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 }
  expect(await job.run({ stop: stop.signal, limits, onCommit })).toEqual({ status: 'stopped' })
}

function storedAt(job: TestJob, position: number): StoredEntry {
  const entry = job.checkpoint.entries.find((known) => known.position === position)
  if (entry?.status !== 'stored') throw new Error(`entry ${position} is not stored`)
  return entry
}

const middleOf = ({ offset, headerBytes, compressedBytes }: StoredEntry) =>
  offset + headerBytes + Math.floor(compressedBytes / 2)

test.concurrent.each(BODIES.map(({ name }, position) => [name, position] as const))(
  'an entry whose bytes changed between two runs is fetched again, and the others are not: %s',
  async (name, damaged) => {
    using dir = tempDir()
    const { whole, stalling } = pathsOf(`changed-${name}`)
    const job = testJob(
      dir.file('a.zip'),
      [...whole, stalling].map((path) => origin.url(path)),
    )
    await runUntilStalled(job)
    flipByte(`${job.archivePath}.part`, middleOf(storedAt(job, damaged)))
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: BODIES.length + 1 })
    expect(whole.map((path) => origin.requests(path).length)).toEqual(
      whole.map((_, position) => (position === damaged ? 2 : 1)),
    )
    expect(job.progress.at(-1)).toMatchObject({ fileCount: BODIES.length + 1 })
    expect(await readZip(job.archivePath)).toMatchObject([...EXPECTED, STALLING])
  },
)

test.concurrent('an entry that is found damaged before its download starts is fetched once, and leaves no dead bytes', async () => {
  await using silent = await startOrigin()
  using dir = tempDir()
  const path = '/bytes/1000/small.bin?run=early'
  // More URLs than a host has connections, so that the damaged entry has to wait.
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const sourcesOf = (url: (number: number) => string) =>
    [...numbers.map(url), origin.url(path)].map((url) => ({ url, filename: null }))
  const job = testJob(
    dir.file('a.zip'),
    sourcesOf((number) => silent.url(`/silent?n=${number}`)),
  )
  const stop = new AbortController()
  const onCommit = () => job.checkpoint.entries.length > 0 && stop.abort()
  expect(await job.run({ stop: stop.signal, onCommit })).toEqual({ status: 'stopped' })

  flipByte(`${job.archivePath}.part`, middleOf(storedAt(job, numbers.length)))
  const sources = sourcesOf((number) => origin.url(`/bytes/1000/${number}.bin?delay_ms=100&run=early`))
  expect(await job.run({ order: { sources } })).toMatchObject({ status: 'completed', fileCount: 101 })
  expect(origin.requests(path)).toHaveLength(2)
  const entries = [...numbers.map((number) => `${number}.bin`), 'small.bin']
  await expectReadable(
    job.archivePath,
    entries.map((name) => ({ name, sizeBytes: 1000, sha256: expectedSha256(1000) })),
  )
})

test.concurrent('when all entries changed, all are fetched again, within the size limit of the job', async () => {
  using dir = tempDir()
  const { whole, stalling } = pathsOf('all')
  const job = testJob(
    dir.file('a.zip'),
    [...whole, stalling].map((path) => origin.url(path)),
  )
  await runUntilStalled(job)
  for (const position of BODIES.keys()) flipByte(`${job.archivePath}.part`, middleOf(storedAt(job, position)))
  const storedBytes = BODIES.keys().reduce(
    (sum, position) => sum + storedAt(job, position).compressedBytes,
    0,
  )
  const maxZipBytes = storedBytes + STALLING.sizeBytes + 4_000
  expect(await job.run({ order: { maxZipBytes } })).toMatchObject({ status: 'completed' })
  expect(whole.map((path) => origin.requests(path).length)).toEqual(whole.map(() => 2))
  expect(await readZip(job.archivePath)).toMatchObject([...EXPECTED, STALLING])
})

test.concurrent('a local header that changed between two runs is written again, without a fetch', async () => {
  using dir = tempDir()
  const { whole, stalling } = pathsOf('header')
  const job = testJob(
    dir.file('a.zip'),
    [...whole, stalling].map((path) => origin.url(path)),
  )
  await runUntilStalled(job)
  flipByte(`${job.archivePath}.part`, storedAt(job, 2).offset + 8)
  expect(await job.run()).toMatchObject({ status: 'completed' })
  expect(whole.map((path) => origin.requests(path).length)).toEqual(whole.map(() => 1))
  await expectReadable(job.archivePath, [...EXPECTED, STALLING])
})

test.concurrent.each([
  ['a body', middleOf, 2],
  ['a local header', ({ offset }: StoredEntry) => offset + 8, 1],
] as const)(
  'when %s changed in the archive that a crashed run had finished, the next run repairs it',
  async (_what, place, requests) => {
    using dir = tempDir()
    const { whole } = pathsOf(`finished-${requests}`)
    const job = testJob(
      dir.file('a.zip'),
      whole.map((path) => origin.url(path)),
    )
    const first = await job.run()
    flipByte(job.archivePath, place(storedAt(job, 3)))
    expect(await job.run()).toEqual(first)
    expect(whole.map((path) => origin.requests(path).length)).toEqual(
      whole.map((_, position) => (position === 3 ? requests : 1)),
    )
    await expectReadable(job.archivePath, EXPECTED)
  },
)
