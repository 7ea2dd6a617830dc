import { describe, expect, test } from 'bun:test'
import { HostOutages } from '../../server/engine/host-outages.ts'
import { FETCH_LIMITS } from '../../server/fetching/fetch-limits.ts'
import { forFile } from '../support/for-file.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'

const origin = forFile(await startOrigin())
const other = forFile(await startOrigin())

/** So many URLs of a host, each a little different. */
const many = (count: number, url: string) => Array.from({ length: count }, (_, n) => `${url}&n=${n}`)
const hostOf = (url: string) => new URL(url).host
const AT_ONCE = { outageMs: 0 }

describe('a host that answers nobody', () => {
  test('is given up after a few, and the rest of its URLs fails at once with the same text', async () => {
    using dir = tempDir()
    const silent = many(300, other.url('/silent?rest=1'))
    const job = testJob(dir.file('a.zip'), [...silent, origin.url('/bytes/1000/good.bin')])
    expect(await job.run({ limits: AT_ONCE })).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(job.errors).toEqual(silent.map((_, position) => [position, 'Timed out']))
    expect(job.givenUp).toEqual([[hostOf(other.url('/')), 'Timed out']])
    const asked = silent.filter((url) => other.requests(url.slice(other.url('').length)).length > 0)
    expect(asked.length).toBeWithin(10, 33)
  })

  test('that refuses connections is given up, too, and no other host with it', async () => {
    using dir = tempDir()
    const refused = refusedUrl()
    const redirects = many(20, origin.url(`/redirect/1?to=${encodeURIComponent(refused)}`))
    const good = many(20, origin.url('/bytes/1000/good.bin?refusing=1'))
    const job = testJob(dir.file('a.zip'), [...redirects, ...good, ...many(200, `${refused}?rest=1`)])
    expect(await job.run({ limits: AT_ONCE })).toMatchObject({ status: 'completed', fileCount: 20 })
    expect(new Set(job.errors.map(([, error]) => error))).toEqual(new Set(['Connection refused']))
    expect(job.givenUp).toEqual([[hostOf(refused), 'Connection refused']])
  })

  test('is asked again by a retry', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), many(40, origin.url('/bytes/1000/late.bin?delay_ms=300')))
    await job.run({ limits: { ...AT_ONCE, headersTimeoutMs: 100 } })
    expect(job.givenUp).toHaveLength(1)
    const checkpoint = { entries: [], slide: null }
    expect(await job.run({ order: { checkpoint } })).toMatchObject({ status: 'completed', fileCount: 40 })
  })
})

test('a host that answers with errors is asked for every URL', async () => {
  using dir = tempDir()
  const failing = many(40, origin.url('/status/500?every=1'))
  const job = testJob(dir.file('a.zip'), failing)
  await job.run({ limits: AT_ONCE })
  expect(job.errors).toHaveLength(40)
  expect(job.givenUp).toEqual([])
  const asked = failing.map((url) => origin.requests(url.slice(origin.url('').length)).length)
  expect(new Set(asked)).toEqual(new Set([FETCH_LIMITS.attempts]))
})

describe('the silence of a host', () => {
  const HOST = 'example.org:443'
  const { outageAttempts: attempts, outageMs } = FETCH_LIMITS

  /** Outages by a clock that stands still until it is told otherwise. */
  function openOutages() {
    const givenUp: string[] = []
    let nowMs = 0
    const outages = new HostOutages(
      FETCH_LIMITS,
      (host) => givenUp.push(host),
      () => nowMs,
    )
    return {
      outages,
      givenUp,
      pass: (ms: number) => {
        nowMs += ms
      },
      silence: (times: number, sinceMs = nowMs) => {
        for (let time = 0; time < times; time++) outages.unanswered(HOST, 'Connection refused', sinceMs)
      },
    }
  }

  test('has to last for ten attempts and ten seconds, so that a host can start anew', () => {
    const { givenUp, pass, silence, outages } = openOutages()
    silence(10 * attempts)
    pass(outageMs - 1)
    silence(1)
    expect(givenUp).toEqual([])
    pass(1)
    silence(1)
    expect(givenUp).toEqual([HOST])
    expect(() => outages.assertReachable(HOST)).toThrow('Connection refused')
  })

  test('is over with any answer', () => {
    const { givenUp, pass, silence, outages } = openOutages()
    silence(attempts)
    pass(outageMs)
    outages.answered(HOST)
    pass(1)
    silence(attempts)
    expect(givenUp).toEqual([])
    pass(outageMs)
    silence(1)
    expect(givenUp).toEqual([HOST])
    outages.answered(HOST)
    outages.assertReachable(HOST)
  })

  test('is none while others have answers of the host: some of its URLs may be slow', () => {
    const { givenUp, pass, silence, outages } = openOutages()
    pass(outageMs)
    outages.answered(HOST)
    pass(outageMs)
    silence(10 * attempts, outageMs)
    expect(givenUp).toEqual([])
  })

  test('does not count while the host has asked to be left alone by Retry-After', () => {
    const { givenUp, pass, silence, outages } = openOutages()
    outages.answered(HOST, 20_000)
    pass(20_000)
    silence(10 * attempts, 1)
    expect(givenUp).toEqual([])
    pass(outageMs)
    silence(1)
    expect(givenUp).toEqual([HOST])
  })

  test('is not what a body says that stops in the middle', () => {
    const { givenUp, pass, outages } = openOutages()
    outages.unanswered(HOST, 'Connection closed early', 0)
    pass(outageMs)
    for (let time = 0; time < 100; time++) outages.unanswered(HOST, 'Connection closed early', 0)
    expect(givenUp).toEqual([])
  })
})
