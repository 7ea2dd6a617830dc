// test group: long
import { describe, expect, test } from 'bun:test'
import type { Source } from '../../../server/engine/job-order.ts'
import { sourcesWithBase } from '../../support/base.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type RunOptions, type TestJob, testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin())

const MB = 1_000_000
const ALL_HASHED: RunOptions = { order: { hasManifest: true } }

/** The digests that the checkpoint has of the URLs, by position. */
const digestsOf = ({ checkpoint }: TestJob, urlCount: number) =>
  Array.from({ length: urlCount }, (_, position) => {
    const entry = checkpoint.entries.find((one) => one.position === position)
    return entry?.status === 'stored' ? entry.sha256 : (entry?.status ?? null)
  })

/** Runs a job of one source, and expects that the digest in its checkpoint is that of its entry. */
async function digestIn(job: TestJob, options: RunOptions = ALL_HASHED): Promise<string> {
  expect(await job.run(options)).toMatchObject({ status: 'completed' })
  const [entry] = await readZip(job.archivePath)
  const [digest] = digestsOf(job, 1)
  expect(digest).toBe(entry?.sha256 ?? '')
  return digest ?? ''
}

describe('The digest of an entry is that of its bytes', () => {
  test.concurrent.each([
    ['in memory', '/bytes/3000/a.bin'],
    ['of nothing', '/bytes/0/a.bin'],
    ['of a text that is deflated', '/bytes/30000/a.txt?type=text/plain'],
    ['of a long text', `/bytes/${3 * MB}/a.txt?type=text/plain`],
    ['of unknown length', `/bytes/${3 * MB}/a.bin?framing=chunked`],
    ['in place', '/bytes/100000/a.bin'],
    ['that broke off and went on', '/bytes/100000/a.bin?cut_at=40000&times=1'],
    ['that came in many parts', '/bytes/100000/a.bin?cut_after=9000'],
    [
      'that broke off and started over',
      '/bytes/100000/a.bin?cut_at=40000&times=1&etag=none&last_modified=none',
    ],
    ['of a text that broke off and went on', '/bytes/100000/a.txt?type=text/plain&cut_at=40000&times=1'],
    ['that was decoded', '/page/a.html?coding=gzip'],
  ])('%s', async (_, path) => {
    using dir = tempDir()
    await digestIn(testJob(dir.file('a.zip'), [origin.url(path)]))
  })

  test.concurrent('that came over several connections', async () => {
    using dir = tempDir()
    await using slow = await startOrigin()
    const path = `/bytes/${6 * MB}/large.bin?bytes_per_second=1500000`
    expect(await digestIn(testJob(dir.file('a.zip'), [slow.url(path)]))).toBe(expectedSha256(6 * MB))
    expect(slow.requests(path).length).toBeGreaterThan(1)
  })

  test.concurrent('that came over several connections, one of which lied', async () => {
    using dir = tempDir()
    await using liar = await startOrigin()
    const path = `/bytes/${3 * MB}/large.bin?bytes_per_second=1500000&lie=other-tag&lies_from=3`
    expect(await digestIn(testJob(dir.file('a.zip'), [liar.url(path)]))).toBe(expectedSha256(3 * MB))
  })

  test.concurrent('that one run began and the next one ended', async () => {
    using dir = tempDir()
    const path = '/bytes/200000/a.bin?stall_at=90000&times=1&run=resumed-digest'
    const job = testJob(dir.file('a.zip'), [origin.url(path)])
    const stopped = new AbortController()
    const outcome = await job.run({
      ...ALL_HASHED,
      stop: stopped.signal,
      onCommit: () => {
        if (job.checkpoint.entries.some(({ status }) => status === 'partial')) stopped.abort()
      },
    })
    expect(outcome.status).toBe('stopped')
    expect(await digestIn(job)).toBe(expectedSha256(200_000))
    expect(origin.requests(path).at(-1)?.headers.get('range')).toMatch(/^bytes=\d+-$/)
  })

  test.concurrent.each(['all', 'unchanged'] as const)(
    'that is copied from a base, with %s',
    async (reuse) => {
      using dir = tempDir()
      const paths = ['/bytes/50000/a.bin', '/bytes/9000/b.txt?type=text/plain']
      const urls = paths.map((path) => origin.url(`${path}${path.includes('?') ? '&' : '?'}run=${reuse}`))
      const first = testJob(dir.file('a.zip'), urls)
      const outcome = await first.run()
      expect(digestsOf(first, 2)).toEqual([null, null])
      const base = { path: first.archivePath, link: null, reuse, keepFrom: null }
      const next = testJob(dir.file('b.zip'), urls)
      const sources = sourcesWithBase(urls, first, outcome)
      await next.run({ order: { hasManifest: true, base, sources } })
      expect(next.checkpoint.entries.filter((entry) => 'isReused' in entry && entry.isReused)).toHaveLength(2)
      expect(digestsOf(next, 2)).toEqual([expectedSha256(50_000), expectedSha256(9_000)])
    },
  )

  test.concurrent('and is not computed where nobody asked for it', async () => {
    using dir = tempDir()
    const [one, two] = [origin.url('/bytes/3000/a.bin'), origin.url('/bytes/70000/b.bin')]
    const job = testJob(dir.file('a.zip'), [
      { url: one, filename: null },
      { url: two, filename: null, sha256: expectedSha256(70_000) },
    ])
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 2 })
    expect(digestsOf(job, 2)).toEqual([null, expectedSha256(70_000)])
  })

  test.concurrent('and what an earlier run packed without it is fetched again', async () => {
    using dir = tempDir()
    const paths = ['/bytes/3000/a.bin?run=unhashed', '/status/404?run=unhashed']
    const job = testJob(dir.file('a.zip'), paths.map(origin.url))
    expect(await job.run({ order: { failOnUrlError: true } })).toMatchObject({ status: 'failed' })
    expect(await job.run(ALL_HASHED)).toMatchObject({ status: 'completed' })
    expect(digestsOf(job, 1)).toEqual([expectedSha256(3000)])
  })
})

describe('A file with another digest than is wanted', () => {
  const wanted = (path: string, sha256: string): Source => ({ url: origin.url(path), filename: null, sha256 })

  test.concurrent.each([
    ['in memory', '/bytes/3000/a.bin?run=other'],
    ['without a validator', '/bytes/3000/a.bin?run=other&etag=none&last_modified=none'],
    ['in place', '/bytes/90000/a.bin?run=other'],
    ['long text', `/bytes/${2 * MB}/a.txt?type=text/plain&run=other`],
    ['decoded', '/page/a.html?coding=gzip&run=other'],
  ])('is fetched once more, and then fails: %s', async (_, path) => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [
      wanted(path, '0'.repeat(64)),
      wanted('/bytes/10/b.bin', expectedSha256(10)),
    ])
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(job.errors).toEqual([[0, 'Checksum mismatch']])
    expect(origin.requests(path).map(({ headers }) => headers.get('range'))).toEqual([null, null])
    expect(await readZip(job.archivePath)).toMatchObject([{ name: 'b.bin' }])
  })

  test.concurrent('is packed if the second one is right', async () => {
    using dir = tempDir()
    const path = '/bytes/90000/a.bin?changes_at=2&run=second'
    const job = testJob(dir.file('a.zip'), [wanted(path, expectedSha256(90_000, 2))])
    expect(await job.run()).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(90_000, 2) }])
  })

  test.concurrent.each(['all', 'unchanged'] as const)('is not copied from a base, with %s', async (reuse) => {
    using dir = tempDir()
    const path = `/bytes/50000/a.bin?changes_at=3&run=base-${reuse}`
    const url = origin.url(path)
    const first = testJob(dir.file('a.zip'), [url])
    const outcome = await first.run(ALL_HASHED)
    await fetch(url)
    const base = { path: first.archivePath, link: null, reuse, keepFrom: null }
    const next = testJob(dir.file('b.zip'), [url])
    const sha256 = expectedSha256(50_000, 2)
    const sources = sourcesWithBase([url], first, outcome).map((source) => ({ ...source, sha256 }))
    expect(await next.run({ order: { base, sources } })).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(await readZip(next.archivePath)).toMatchObject([{ sha256 }])
  })
})
