import { describe, expect, test } from 'bun:test'
import type { Verdict } from '../../../../server/engine/connections/lease.ts'
import { HostLimits } from '../../../../server/engine/connections/pool/host-limits.ts'

const HOST = 'a:80'
const ROUND_TRIP_MS = 80

interface Fetched {
  readonly seconds: number
  readonly wastedCount: number
}

/**
 * Fetches so many files from a host that judges each request when it arrives, half a round trip after it was sent.
 * @param judge gets the time and how many other requests are being answered, and returns the verdict
 */
function fetchAll(
  fileCount: number,
  answerMs: number,
  judge: (nowMs: number, otherCount: number) => Verdict,
): Fetched {
  let nowMs = 0
  const limits = new HostLimits(32, () => nowMs)
  const arrivals: number[] = []
  const answers: { atMs: number; verdict: Verdict }[] = []
  let leftCount = fileCount
  let wastedCount = 0
  while (leftCount > 0) {
    while (arrivals.length + answers.length < leftCount && limits.roomOf(HOST) > 0) {
      limits.opened(HOST)
      arrivals.push(nowMs + ROUND_TRIP_MS / 2)
    }
    nowMs += 1
    while ((arrivals[0] ?? Infinity) <= nowMs) {
      arrivals.shift()
      const verdict = judge(nowMs, answers.filter((other) => other.verdict === 'healthy').length)
      answers.push({ atMs: nowMs + ROUND_TRIP_MS / 2 + (verdict === 'healthy' ? answerMs : 0), verdict })
    }
    for (const answer of answers.filter(({ atMs }) => atMs <= nowMs)) {
      answers.splice(answers.indexOf(answer), 1)
      limits.closed(HOST, answer.verdict)
      if (answer.verdict === 'healthy') leftCount -= 1
      else wastedCount += 1
    }
  }
  return { seconds: nowMs / 1000, wastedCount }
}

/** A host that allows a number of requests a second, and as many in advance. */
function rateLimited(perSecond: number, waitMs: number | null) {
  let tokens = perSecond
  let lastMs = 0
  return (nowMs: number): Verdict => {
    tokens = Math.min(perSecond, tokens + ((nowMs - lastMs) * perSecond) / 1000)
    lastMs = nowMs
    if (tokens < 1) return { waitMs, isRate: true }
    tokens -= 1
    return 'healthy'
  }
}

describe('A host that limits the rate of requests', () => {
  test.each([
    ['10 in a second, else 429 with Retry-After: 1', 10, 1000, 1.1],
    ['3 in a second, else 429 with Retry-After: 1', 3, 1000, 1.1],
    ['10 in a second, else 429 without Retry-After', 10, null, 1.1],
    // It asks for five times as long as it needs.
    ['10 in a second, else 429 with Retry-After: 5', 10, 5000, 3],
  ])('%s: all files, with at most 12 wasted requests', (_what, rate, waitMs, mostOfBound) => {
    const { seconds, wastedCount } = fetchAll(200, 0, rateLimited(rate, waitMs))
    expect(wastedCount).toBeLessThanOrEqual(12)
    expect(seconds).toBeLessThanOrEqual(((200 - rate) / rate) * mostOfBound)
  })
})

describe('A host that allows two requests at once', () => {
  test.each([
    ['answers the others with 503', 100],
    ['answers the others with 503, and takes a second for each', 1000],
  ])('%s: all files, in a third more than its bound, with at most 40 wasted requests', (_what, answerMs) => {
    const judge = (_nowMs: number, otherCount: number): Verdict => (otherCount < 2 ? 'healthy' : 'strained')
    const { seconds, wastedCount } = fetchAll(200, answerMs, judge)
    expect(wastedCount).toBeLessThanOrEqual(40)
    expect(seconds).toBeLessThanOrEqual(((100 * (answerMs + ROUND_TRIP_MS)) / 1000) * 1.33)
  })
})

test('A host gets no connection while it has asked to wait, whatever the others are', () => {
  let nowMs = 0
  const limits = new HostLimits(32, () => nowMs)
  limits.opened(HOST)
  limits.closed(HOST, { waitMs: 5000, isRate: false })
  expect(limits.roomOf(HOST)).toBe(0)
  expect(limits.nextMsOf(HOST)).toBe(5000)
  expect(limits.roomOf('b:80')).toBe(8)
  nowMs = 5000
  expect(limits.roomOf(HOST)).toBeGreaterThan(0)
  expect(limits.nextMsOf(HOST)).toBeNull()
})

test('A host that names no time gets a pause that doubles with each refusal, until it accepts', () => {
  let nowMs = 0
  const limits = new HostLimits(32, () => nowMs)
  const pauseAfter = (verdict: Verdict) => {
    limits.opened(HOST)
    limits.closed(HOST, verdict)
    const waitMs = (limits.nextMsOf(HOST) ?? nowMs) - nowMs
    nowMs += waitMs
    return waitMs
  }
  const refusal = { waitMs: null, isRate: false }
  expect([1, 2, 3].map(() => pauseAfter(refusal))).toEqual([500, 1000, 2000])
  expect(pauseAfter('healthy')).toBe(0)
  expect(pauseAfter(refusal)).toBe(500)
})
