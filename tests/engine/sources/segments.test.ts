// test group: idle
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CheckpointEntry, Stretch } from '../../../server/engine/checkpoint/checkpoint.ts'
import { flipByte } from '../../support/flip-byte.ts'
import { LIES } from '../../support/origin/lying-ranges.ts'
import { expectedSha256, type Origin, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { type TestJob, testJob } from '../../support/test-job.ts'
import { until } from '../../support/until.ts'

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

const MB = 1_000_000

/** A host that sends each response at this rate. */
const SLOW = 'bytes_per_second=1500000'
/** So slow that a checkpoint is written while it sends, over however many connections. */
const SLOWER = 'bytes_per_second=60000'

function rangesOf(path: string): (string | null)[] {
  return origin.requests(path).map(({ headers }) => headers.get('range'))
}

describe('A large body whose host takes ranges', () => {
  test.concurrent('comes over several connections, each byte once', async () => {
    using dir = tempDir()
    await using slow = await startOrigin()
    const path = `/bytes/${8 * MB}/large.bin?${SLOW}`
    const job = testJob(dir.file('a.zip'), [slow.url(path)])
    expect(await job.run()).toMatchObject({ status: 'completed' })
    expect(await readZip(job.archivePath)).toMatchObject([
      { name: 'large.bin', sizeBytes: 8 * MB, sha256: expectedSha256(8 * MB) },
    ])
    const [first, ...others] = slow.requests(path)
    expect(first?.headers.get('range')).toBeNull()
    expect(others.length).toBeGreaterThan(1)
    for (const { headers } of others) {
      expect(headers.get('range')).toMatch(/^bytes=\d+-\d+$/)
      expect(headers.get('if-range')).toBe(`"${8 * MB}-1"`)
    }
    // A response that others have finished is cut off a little later.
    expect(slow.sentBytes()).toBeLessThan(11 * MB)
  })

  for (const [why, query] of [
    ['says nothing of ranges', 'accepts=none'],
    ['has no strong validator', 'etag=weak&last_modified=recent'],
    ['sends text', 'type=text/plain'],
    ['does not tell the length', 'framing=chunked'],
  ] as const) {
    test.concurrent(`comes over one connection if it ${why}`, async () => {
      using dir = tempDir()
      const path = `/bytes/${3 * MB}/large.bin?${SLOW}&${query}`
      const job = testJob(dir.file('a.zip'), [origin.url(path)])
      expect(await job.run()).toMatchObject({ status: 'completed' })
      expect(rangesOf(path)).toEqual([null])
      expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(3 * MB) }])
    })
  }
})

describe('Ranges that lie end segments, and not one of their bytes gets into the entry:', () => {
  for (const lie of Object.keys(LIES)) {
    test.concurrent(`${lie}, from the first one on`, async () => {
      using dir = tempDir()
      await using liar = await startOrigin()
      const path = `/bytes/${2 * MB}/large.bin?${SLOW}&lie=${lie}`
      const job = testJob(dir.file('a.zip'), [liar.url(path)])
      expect(await job.run({ nowMs: fastClock })).toMatchObject({ status: 'completed' })
      expect(await readZip(job.archivePath)).toMatchObject([
        { sizeBytes: 2 * MB, sha256: expectedSha256(2 * MB) },
      ])
      // The first response brings it all. One part is asked for at a time, and again only if the answer takes too long.
      const whole = liar.requests(path).filter(({ headers }) => !headers.has('range'))
      expect(whole).toHaveLength(1)
      expect(liar.requests(path).length).toBeWithin(2, 10)
    })

    test.concurrent(`${lie}, from the fifth request on`, async () => {
      using dir = tempDir()
      await using liar = await startOrigin()
      const path = `/bytes/${3 * MB}/large.bin?${SLOW}&lie=${lie}&lies_from=5`
      const job = testJob(dir.file('a.zip'), [liar.url(path)])
      expect(await job.run({ nowMs: fastClock })).toMatchObject({ status: 'completed' })
      expect(await readZip(job.archivePath)).toMatchObject([
        { sizeBytes: 3 * MB, sha256: expectedSha256(3 * MB) },
      ])
    })
  }
})

describe('The parts of a large body are asked for', () => {
  test.concurrent('at the URL that redirects led to, with the cookies and the credentials that it got', async () => {
    using dir = tempDir()
    const target = `/bytes/${2 * MB}/large.bin?${SLOW}&redirected=1`
    const url = origin.url(`/set-cookies?${new URLSearchParams({ to: target, cookie: 'session=1; Path=/' })}`)
    const job = testJob(dir.file('a.zip'), [url.replace('http://', 'http://user:secret@')])
    expect(await job.run({ nowMs: fastClock })).toMatchObject({ status: 'completed' })
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(2 * MB) }])
    const requests = origin.requests(target)
    expect(requests.length).toBeGreaterThan(3)
    for (const { headers } of requests) {
      expect(headers.get('cookie')).toBe('session=1')
      expect(headers.get('authorization')).toBe(`Basic ${btoa('user:secret')}`)
    }
    // The redirect was followed once.
    expect(origin.requests('/set-cookies')).toHaveLength(1)
  })
})

test('A job that is stopped keeps what each connection has brought, and fetches only the rest', async () => {
  using dir = tempDir()
  await using host = await startOrigin()
  const path = `/bytes/${6 * MB}/large.bin?${SLOWER}`
  const job = testJob(dir.file('a.zip'), [host.url(path)])
  const reportedBytes = await stopInSegments(job)
  const kept = stretchesIn(job.checkpoint.entries)
  expect(bytesIn(kept)).toBeGreaterThanOrEqual(reportedBytes)

  const requestsBefore = host.requests(path).length
  expect(await job.run({ nowMs: fastClock })).toMatchObject({ status: 'completed' })
  expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(6 * MB) }])
  const asked = host.requests(path).slice(requestsBefore)
  expect(asked).not.toBeEmpty()
  for (const { headers } of asked) {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
    const startByte = Number(first)
    const endByte = last ? Number(last) + 1 : 6 * MB
    expect(startByte).toBeLessThan(endByte)
    expect(kept.filter(({ start, end }) => start < endByte && end > startByte)).toEqual([])
  }
})

test('A job whose file lost a stretch fetches the body anew', async () => {
  using dir = tempDir()
  await using host = await startOrigin()
  const job = testJob(dir.file('a.zip'), [host.url(`/bytes/${6 * MB}/large.bin?${SLOWER}`)])
  await stopInSegments(job)
  const [partial] = job.checkpoint.entries
  if (partial?.status !== 'partial') throw new Error('the body is not partial')
  const last = partial.stretches.at(-1)
  if (last === undefined) throw new Error('there is no stretch')
  flipByte(`${job.archivePath}.part`, partial.offset + partial.headerBytes + last.start)
  expect(await job.run({ nowMs: fastClock })).toMatchObject({ status: 'completed' })
  expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(6 * MB) }])
})

/**
 * Runs the job, and stops it when a checkpoint has several stretches of its body and more has arrived since: what the host has sent may
 * not have arrived.
 * @returns how many bytes of the body the job has reported
 */
async function stopInSegments(job: TestJob): Promise<number> {
  const stop = new AbortController()
  const run = job.run({ nowMs: fastClock, stop: stop.signal })
  const reportedBytes = await until('more has arrived than the last of several commits says', () => {
    const committed = stretchesIn(job.checkpoint.entries)
    const receivedBytes = job.progress.at(-1)?.receivedBytes ?? 0
    return committed.length > 2 && receivedBytes > bytesIn(committed) && receivedBytes
  })
  stop.abort(new Error('stop'))
  expect(await run).toEqual({ status: 'stopped' })
  return reportedBytes
}

function bytesIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0)
}

function stretchesIn(entries: readonly CheckpointEntry[]): readonly Stretch[] {
  return entries.flatMap((entry) => (entry.status === 'partial' ? entry.stretches : []))
}

/** Rates are measured in milliseconds instead of seconds. */
const fastClock = () => performance.now() * 100
