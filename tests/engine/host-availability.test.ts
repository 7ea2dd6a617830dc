import { describe, expect, test } from 'bun:test'
import { HostAvailability } from '../../server/engine/host-availability.ts'
import { FETCH_LIMITS } from '../../server/fetching/fetch-limits.ts'
import { forFile } from '../support/for-file.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { SHORT_TIMEOUTS, testJob } from '../support/test-job.ts'

const origin = forFile(await startOrigin())
const other = forFile(await startOrigin())

/** Different URLs of one host. */
const many = (count: number, url: string) => Array.from({ length: count }, (_, n) => `${url}&n=${n}`)
const hostOf = (url: string) => new URL(url).host
const AT_ONCE = { unreachableAfterMs: 0 }

describe('a host that answers no attempt', () => {
  test('is given up after some attempts, and the rest of its URLs fails at once with the same error', async () => {
    using dir = tempDir()
    const silent = many(300, other.url('/silent?rest=1'))
    const job = testJob(dir.file('a.zip'), [...silent, origin.url('/bytes/1000/good.bin')])
    expect(await job.run({ limits: { ...AT_ONCE, ...SHORT_TIMEOUTS } })).toMatchObject({
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
    expect(await job.run({ limits: AT_ONCE })).toMatchObject({ status: 'completed', fileCount: 20 })
    expect(new Set(job.errors.map(([, error]) => error))).toEqual(new Set(['Connection refused']))
    expect(job.givenUp).toEqual([[hostOf(refused), 'Connection refused']])
  })

  test('is tried again by a retry of the job', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), many(40, origin.url('/bytes/1000/late.bin?delay_ms=300')))
    await job.run({ limits: { ...AT_ONCE, headersTimeoutMs: 100 } })
    expect(job.givenUp).toHaveLength(1)
    const checkpoint = { entries: [], move: null }
    expect(await job.run({ order: { checkpoint } })).toMatchObject({ status: 'completed', fileCount: 40 })
  })
})

test('a host that answers with errors is tried for every URL', async () => {
  using dir = tempDir()
  const failing = many(40, origin.url('/status/500?every=1'))
  const job = testJob(dir.file('a.zip'), failing)
  await job.run({ limits: AT_ONCE })
  expect(job.errors).toHaveLength(40)
  expect(job.givenUp).toEqual([])
  const requested = failing.map((url) => origin.requests(url.slice(origin.url('').length)).length)
  expect(new Set(requested)).toEqual(new Set([FETCH_LIMITS.attempts]))
})

describe('a host is given up', () => {
  const HOST = 'example.org:443'
  const { unreachableAfterAttempts: attempts, unreachableAfterMs } = FETCH_LIMITS

  /** With a clock that only `pass` advances. */
  function openHosts() {
    const givenUp: string[] = []
    let nowMs = 0
    const availability = new HostAvailability(
      FETCH_LIMITS,
      (host) => givenUp.push(host),
      () => nowMs,
    )
    return {
      availability,
      givenUp,
      pass: (ms: number) => {
        nowMs += ms
      },
      silence: (times: number, sinceMs = nowMs) => {
        for (let time = 0; time < times; time++) availability.unanswered(HOST, 'Connection refused', sinceMs)
      },
    }
  }

  test('after ten unanswered attempts that span ten seconds, so that it has time to restart', () => {
    const { givenUp, pass, silence, availability } = openHosts()
    silence(10 * attempts)
    pass(unreachableAfterMs - 1)
    silence(1)
    expect(givenUp).toEqual([])
    pass(1)
    silence(1)
    expect(givenUp).toEqual([HOST])
    expect(() => availability.assertReachable(HOST)).toThrow('Connection refused')
  })

  test('only if no answer of any kind comes in between', () => {
    const { givenUp, pass, silence, availability } = openHosts()
    silence(attempts)
    pass(unreachableAfterMs)
    availability.answered(HOST)
    pass(1)
    silence(attempts)
    expect(givenUp).toEqual([])
    pass(unreachableAfterMs)
    silence(1)
    expect(givenUp).toEqual([HOST])
    availability.answered(HOST)
    availability.assertReachable(HOST)
  })

  test('only if its other URLs are not answered either: some URLs may be slow', () => {
    const { givenUp, pass, silence, availability } = openHosts()
    pass(unreachableAfterMs)
    availability.answered(HOST)
    pass(unreachableAfterMs)
    silence(10 * attempts, unreachableAfterMs)
    expect(givenUp).toEqual([])
  })

  test('not during the wait that it asked for with Retry-After', () => {
    const { givenUp, pass, silence, availability } = openHosts()
    availability.answered(HOST, 20_000)
    pass(20_000)
    silence(10 * attempts, 1)
    expect(givenUp).toEqual([])
    pass(unreachableAfterMs)
    silence(1)
    expect(givenUp).toEqual([HOST])
  })

  test('not because of bodies that break off', () => {
    const { givenUp, pass, availability } = openHosts()
    availability.unanswered(HOST, 'Connection closed early', 0)
    pass(unreachableAfterMs)
    for (let time = 0; time < 100; time++) availability.unanswered(HOST, 'Connection closed early', 0)
    expect(givenUp).toEqual([])
  })
})
