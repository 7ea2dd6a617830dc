import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, renameSync, truncateSync } from 'node:fs'
import { expectedSha256, type Origin, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { expectReadable } from '../../support/readers.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type TestJob, testJob } from '../../support/test-job.ts'

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

const MB = 1_000_000

/** For sources that stall on purpose. */
const LONG_TIMEOUTS = { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 }

/** Runs the job, and stops it as soon as the condition holds for its checkpoint. */
async function runUntil(job: TestJob, condition: (job: TestJob) => boolean): Promise<void> {
  const stop = new AbortController()
  const outcome = await job.run({
    stop: stop.signal,
    nowMs: () => 0,
    limits: LONG_TIMEOUTS,
    onCommit: () => {
      if (condition(job)) stop.abort(new Error('stop'))
    },
  })
  expect(outcome).toEqual({ status: 'stopped' })
}

describe('A stopped job resumes from its checkpoint', () => {
  test.concurrent('without fetching stored entries again', async () => {
    using dir = tempDir()
    const fast = Array.from({ length: 30 }, (_, n) => `/bytes/${20_000 + n}/fast-${n}.bin?run=stored`)
    const slow = `/bytes/5000/slow.bin?run=stored&stall_at=1000&times=1`
    const job = testJob(
      dir.file('a.zip'),
      [...fast, slow].map((path) => origin.url(path)),
    )
    await runUntil(job, ({ checkpoint }) => checkpoint.entries.length === 30)
    expect(existsSync(job.archivePath)).toBe(false)

    expect(await job.run({ limits: LONG_TIMEOUTS })).toMatchObject({ status: 'completed' })
    for (const path of fast) expect(origin.requests(path)).toHaveLength(1)
    expect(await readZip(job.archivePath)).toMatchObject([
      ...fast.map((_, n) => ({ name: `fast-${n}.bin`, sha256: expectedSha256(20_000 + n) })),
      { name: 'slow.bin', sha256: expectedSha256(5000) },
    ])
  })

  test.concurrent('in the middle of a large body, with Range and If-Range', async () => {
    using dir = tempDir()
    const path = `/bytes/${20 * MB}/large.bin?stall_at=${10 * MB}&times=1`
    const job = testJob(dir.file('a.zip'), [origin.url(path)])
    await runUntil(job, ({ checkpoint }) => checkpoint.entries.some(({ status }) => status === 'partial'))
    const [partial] = job.checkpoint.entries
    if (partial?.status !== 'partial') throw new Error('the body is not partial')
    const [stretch] = partial.stretches
    expect(partial.stretches).toHaveLength(1)
    expect(stretch?.start).toBe(0)
    expect(stretch?.end).toBeWithin(1, 20 * MB)

    // Without a rate, no part is asked for.
    expect(await job.run({ nowMs: () => 0 })).toMatchObject({ status: 'completed' })
    expect(origin.requests(path)[1]?.headers.get('range')).toBe(`bytes=${stretch?.end}-`)
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(20 * MB) }])
  })

  for (const misfit of ['etag=changing', 'ranges=ignored']) {
    test.concurrent(`from the start of a large body that can't be resumed: ${misfit}`, async () => {
      using dir = tempDir()
      const path = `/bytes/${9 * MB}/large.bin?stall_at=${5 * MB}&times=1&${misfit}`
      const job = testJob(dir.file('a.zip'), [origin.url(path)])
      await runUntil(job, ({ checkpoint }) => checkpoint.entries.length > 0)
      expect(await job.run()).toMatchObject({ status: 'completed' })
      expect(await readZip(job.archivePath)).toMatchObject([
        { sha256: expectedSha256(9 * MB), sizeBytes: 9 * MB },
      ])
    })
  }

  test.concurrent('and fetches an entry again if its bytes are missing in the file', async () => {
    using dir = tempDir()
    const paths = [`/bytes/${MB}/a.bin?run=lost`, `/bytes/100/b.bin?run=lost&stall_at=10&times=1`]
    const job = testJob(
      dir.file('a.zip'),
      paths.map((path) => origin.url(path)),
    )
    await runUntil(job, ({ checkpoint }) => checkpoint.entries.length === 1)
    truncateSync(`${job.archivePath}.part`, 1000)
    expect(await job.run({ limits: LONG_TIMEOUTS })).toMatchObject({ status: 'completed' })
    expect(origin.requests(paths[0] ?? '')).toHaveLength(2)
    expect(await readZip(job.archivePath)).toMatchObject([
      { sha256: expectedSha256(MB) },
      { sha256: expectedSha256(100) },
    ])
  })

  test.concurrent('and completes without a fetch if an earlier run finished the archive but could not report it', async () => {
    using dir = tempDir()
    const paths = [`/bytes/${MB}/a.bin?run=whole`, `/bytes/100/a.bin?run=whole`]
    const job = testJob(
      dir.file('a.zip'),
      paths.map((path) => origin.url(path)),
    )
    const first = await job.run()
    expect(await job.run()).toEqual(first)
    for (const path of paths) expect(origin.requests(path)).toHaveLength(1)
  })

  test.concurrent('and removes a number that an entry no longer needs from its local header', async () => {
    using dir = tempDir()
    const [replaced, kept, replacement] = ['a.bin?n=1', 'a.bin?n=2', 'b.bin'].map((name) =>
      origin.url(`/bytes/${MB}/${name}`),
    )
    const job = testJob(dir.file('a.zip'), [replaced ?? '', kept ?? ''])
    expect(await job.run()).toMatchObject({ changed: [{ position: 1, name: 'a (2).bin' }] })
    // The state after a crash just before the rename, followed by a retry that replaces the first URL.
    renameSync(job.archivePath, `${job.archivePath}.part`)
    const entries = job.checkpoint.entries.filter(({ position }) => position === 1)
    const sources = [replacement, kept].map((url = '') => ({ url, filename: null }))
    expect(
      await job.run({ order: { sources, checkpoint: { entries, move: null, settledBytes: 0 } } }),
    ).toMatchObject({
      changed: [],
    })
    const body = { sizeBytes: MB, sha256: expectedSha256(MB) }
    await expectReadable(job.archivePath, [
      { name: 'b.bin', ...body },
      { name: 'a.bin', ...body },
    ])
  })
})

test.concurrent('a job that is stopped before its first body makes no empty archive', async () => {
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [origin.url('/bytes/1000/a.bin?run=early')])
  expect(await job.run({ stop: AbortSignal.abort(new Error('stop')) })).toEqual({ status: 'stopped' })
  expect(existsSync(job.archivePath)).toBe(false)
  expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 1 })
})

describe('a failed job keeps its checkpoint', () => {
  test.concurrent('when one URL fails in strict mode, with the other URLs fetched', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [
      origin.url('/status/404'),
      origin.url(`/bytes/${MB}/b.bin?run=strict`),
    ])
    const outcome = await job.run({ order: { failOnUrlError: true } })
    expect(outcome).toEqual({
      status: 'failed',
      failure: { code: 'URL_FAILED', message: '1 of 2 URLs could not be fetched.' },
    })
    expect(job.checkpoint.entries.map(({ status }) => status).sort()).toEqual(['failed', 'stored'])
    expect(existsSync(job.archivePath)).toBe(false)
  })

  test.concurrent('when all URLs fail, and its code is ALL_URLS_FAILED', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [origin.url('/status/404'), origin.url('/status/410')])
    expect(await job.run()).toMatchObject({ status: 'failed', failure: { code: 'ALL_URLS_FAILED' } })
    expect(job.errors).toEqual([
      [0, 'HTTP 404'],
      [1, 'HTTP 410'],
    ])
  })
})

describe('the size limit of the plan', () => {
  for (const [title, path] of [
    ['a declared length', `/bytes/${3 * MB}/a.bin?limit=1`],
    ['a body without a length', `/bytes/${3 * MB}/a.bin?limit=1&framing=chunked`],
    ['an endless body', '/endless'],
    ['a small body that decodes to 400 MB', `/gzip-bomb/${400 * MB}`],
  ] as const) {
    test.concurrent(`fails the job as soon as ${title} exceeds it`, async () => {
      using dir = tempDir()
      const job = testJob(dir.file('a.zip'), [origin.url(path)])
      const outcome = await job.run({ order: { maxZipBytes: 2 * MB } })
      expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'ZIP_SIZE_EXCEEDED' } })
      expect(job.errors).toEqual([[0, 'ZIP size limit exceeded (2 MB)']])
      expect(existsSync(job.archivePath)).toBe(false)
    })
  }

  test.concurrent('allows an archive of exactly its size, but not one byte more', async () => {
    using dir = tempDir()
    const sources = [
      origin.url(`/bytes/${MB}/a.bin`),
      origin.url('/bytes/1000/b.bin'),
      origin.url('/files/places.json'),
    ]
    const whole = await testJob(dir.file('a.zip'), sources).run()
    if (whole.status !== 'completed') throw new Error('the job without a limit failed')
    const exact = testJob(dir.file('b.zip'), sources)
    expect(await exact.run({ order: { maxZipBytes: whole.zipBytes } })).toEqual(whole)
    const less = testJob(dir.file('c.zip'), sources)
    expect(await less.run({ order: { maxZipBytes: whole.zipBytes - 1 } })).toMatchObject({
      failure: { code: 'ZIP_SIZE_EXCEEDED' },
    })
  })
})

test.concurrent('the space of failed bodies is reused or closed, so that every byte of the archive belongs to an entry', async () => {
  using dir = tempDir()
  // Each body keeps its space for its next attempts, while space is allocated for the others.
  const cut = (sizeBytes: number, n: number) => `/bytes/${sizeBytes}/cut-${n}.bin?cut_at=14000`
  const good = (sizeBytes: number, n: number) => `/bytes/${sizeBytes}/good-${n}.bin?delay_ms=${n * 10}`
  const paths = [
    cut(2 * MB, 1),
    good(90_000, 1),
    cut(300_000, 2),
    good(500_000, 2),
    good(MB, 3),
    cut(80_000, 3),
    good(20_000, 4),
    cut(150_000, 4),
    good(700_000, 5),
  ]
  const job = testJob(
    dir.file('a.zip'),
    paths.map((path) => origin.url(path)),
  )
  expect(await job.run({ limits: { firstBackoffMs: 100 } })).toMatchObject({ status: 'completed' })
  const sizes = [90_000, 500_000, MB, 20_000, 700_000]
  await expectReadable(
    job.archivePath,
    sizes.map((sizeBytes, n) => ({
      name: `good-${n + 1}.bin`,
      sizeBytes,
      sha256: expectedSha256(sizeBytes),
    })),
  )
  const bodyBytes = sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0)
  expect(Bun.file(job.archivePath).size).toBeLessThan(bodyBytes + sizes.length * 61_000)
})
