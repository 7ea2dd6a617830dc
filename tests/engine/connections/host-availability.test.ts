// test group: idle
import { describe, expect, test } from 'bun:test'
import { HostAvailability } from '../../../server/engine/connections/host-availability.ts'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { forFile } from '../../support/for-file.ts'
import { startHttpServer } from '../../support/origin/http-server.ts'
import { refusedUrl, startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { SHORT_TIMEOUTS, testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin())
const other = forFile(await startOrigin())

/** Different URLs of one host. */
const many = (count: number, url: string) => Array.from({ length: count }, (_, n) => `${url}&n=${n}`)
const hostOf = (url: string) => new URL(url).host
const IMMEDIATELY = { unreachableAfterMs: 0 }
const SILENCE = { garbage: new Uint8Array(), ending: 'stall' } as const

describe('A host that answers no attempt', () => {
  test('is given up after some attempts, and its other URLs fail at once with the same error', async () => {
    using dir = tempDir()
    const silent = many(300, other.url('/silent?rest=1'))
    const job = testJob(dir.file('a.zip'), [...silent, origin.url('/bytes/1000/good.bin')])
    expect(await job.run({ limits: { ...IMMEDIATELY, ...SHORT_TIMEOUTS } })).toMatchObject({
      status: 'completed',
      fileCount: 1,
    })
    expect(job.errors).toEqual(silent.map((_, position) => [position, 'Timed out']))
    expect(job.givenUp).toEqual([[hostOf(other.url('/')), 'Timed out']])
    const requested = silent.filter((url) => other.requests(url.slice(other.url('').length)).length > 0)
    expect(requested.length).toBeWithin(10, 33)
  })

  test('is also given up when it refuses connections, and other hosts are not', async () => {
    using dir = tempDir()
    const refused = refusedUrl()
    const redirects = many(20, origin.url(`/redirect/1?to=${encodeURIComponent(refused)}`))
    const good = many(20, origin.url('/bytes/1000/good.bin?refusing=1'))
    const job = testJob(dir.file('a.zip'), [...redirects, ...good, ...many(200, `${refused}?rest=1`)])
    expect(await job.run({ limits: IMMEDIATELY })).toMatchObject({ status: 'completed', fileCount: 20 })
    expect(new Set(job.errors.map(([, error]) => error))).toEqual(new Set(['Connection refused']))
    expect(job.givenUp).toEqual([[hostOf(refused), 'Connection refused']])
  })

  test('is tried again by a retry of the job', async () => {
    using dir = tempDir()
    let isSilent = true
    await using host = await startHttpServer(async () =>
      isSilent ? SILENCE : { headers: { 'Content-Length': '1' }, body: [Uint8Array.of(0)] },
    )
    const job = testJob(dir.file('a.zip'), many(12, `http://127.0.0.1:${host.port}/a.bin?`))
    await job.run({ limits: { ...IMMEDIATELY, headersTimeoutMs: 100 } })
    expect(job.givenUp).toHaveLength(1)
    isSilent = false
    const checkpoint = { entries: [], move: null, settledBytes: 0 }
    expect(await job.run({ order: { checkpoint } })).toMatchObject({ status: 'completed', fileCount: 12 })
  })
})

test('a host that responds with errors is tried for every URL', async () => {
  using dir = tempDir()
  const failing = many(40, origin.url('/status/500?every=1'))
  const job = testJob(dir.file('a.zip'), failing)
  await job.run({ limits: IMMEDIATELY })
  expect(job.errors).toHaveLength(40)
  expect(job.givenUp).toEqual([])
  const requested = failing.map((url) => origin.requests(url.slice(origin.url('').length)).length)
  expect(new Set(requested)).toEqual(new Set([FETCH_LIMITS.attempts]))
})

describe('A host is given up', () => {
  const HOST = 'example.org:443'
  const { unreachableAfterAttempts: attempts, unreachableAfterMs, lostAfterMs } = FETCH_LIMITS

  /** Uses a clock that only `advance` changes. `fail` reports unanswered attempts. */
  function openHosts() {
    const givenUp: string[] = []
    let nowMs = 0
    const availability = new HostAvailability(
      FETCH_LIMITS,
      { hostGivenUp: (host) => givenUp.push(host), proxyFailed: () => {} },
      () => nowMs,
    )
    return {
      availability,
      givenUp,
      advance: (ms: number) => {
        nowMs += ms
      },
      fail: (times: number, sinceMs = nowMs) => {
        for (let time = 0; time < times; time++) availability.unanswered(HOST, 'Connection refused', sinceMs)
      },
    }
  }

  test('after ten unanswered attempts that span ten seconds, so that it has time to restart', () => {
    const { givenUp, advance, fail, availability } = openHosts()
    fail(10 * attempts)
    advance(unreachableAfterMs - 1)
    fail(1)
    expect(givenUp).toEqual([])
    advance(1)
    fail(1)
    expect(givenUp).toEqual([HOST])
    expect(() => availability.assertReachable(HOST)).toThrow('Connection refused')
  })

  test('only if no answer of any kind comes in between', () => {
    const { givenUp, advance, fail, availability } = openHosts()
    fail(attempts)
    advance(unreachableAfterMs)
    availability.answered(HOST)
    advance(1)
    fail(attempts)
    expect(givenUp).toEqual([])
    advance(lostAfterMs)
    fail(1)
    expect(givenUp).toEqual([HOST])
    availability.answered(HOST)
    availability.assertReachable(HOST)
  })

  test('only after 120 seconds without any answer if it has answered in this job', () => {
    const { givenUp, advance, fail, availability } = openHosts()
    availability.answered(HOST)
    advance(1)
    fail(10 * attempts)
    advance(lostAfterMs - 1)
    fail(1)
    expect(givenUp).toEqual([])
    advance(1)
    fail(1)
    expect(givenUp).toEqual([HOST])
  })

  test('when it answers for 120 seconds only that its clients must wait, or for as long as it asked', () => {
    const { givenUp, advance, availability } = openHosts()
    const refuse = (retryAfterMs: number | null) =>
      availability.refused(HOST, { text: 'HTTP 429', retryAfterMs })
    refuse(1000)
    advance(lostAfterMs - 1)
    refuse(1000)
    availability.answered(HOST)
    refuse(300_000)
    advance(299_999)
    refuse(300_000)
    expect(givenUp).toEqual([])
    advance(1)
    refuse(null)
    expect(givenUp).toEqual([HOST])
  })

  test('not before the time that it asked for with Retry-After is over, which counts up to ten minutes', () => {
    const { availability } = openHosts()
    const waitFor = (minutes: number) =>
      availability.refused(HOST, { text: 'HTTP 503', retryAfterMs: minutes * 60_000 })
    expect([1, 10, 60].map(waitFor)).toEqual([60_000, 600_000, 600_000])
  })

  test('only if it answers none of its URLs, because some URLs may be slow', () => {
    const { givenUp, advance, fail, availability } = openHosts()
    advance(unreachableAfterMs)
    availability.answered(HOST)
    advance(unreachableAfterMs)
    fail(10 * attempts, unreachableAfterMs)
    expect(givenUp).toEqual([])
  })

  test('but not during the time that it requested with Retry-After', () => {
    const { givenUp, advance, fail, availability } = openHosts()
    availability.refused(HOST, { text: 'HTTP 429', retryAfterMs: 20_000 })
    advance(20_000)
    fail(10 * attempts, 1)
    advance(lostAfterMs - 1)
    fail(1)
    expect(givenUp).toEqual([])
    advance(1)
    fail(1)
    expect(givenUp).toEqual([HOST])
  })

  test('but not because of bodies that break off', () => {
    const { givenUp, advance, availability } = openHosts()
    availability.unanswered(HOST, 'Connection closed early', 0)
    advance(unreachableAfterMs)
    for (let time = 0; time < 100; time++) availability.unanswered(HOST, 'Connection closed early', 0)
    expect(givenUp).toEqual([])
  })
})
