import { describe, expect, test } from 'bun:test'
import { SourceLimit } from '../../../server/engine/connections/source-limit.ts'
import { seededRandom } from '../../support/seeded-random.ts'

interface Host {
  /** Until a request that waits for no other is answered. */
  readonly answerMs: number
  /** How many requests are answered in a second at most: by the host, or by the line. */
  readonly perSecond: number
  /** How much the time of an answer differs at most, as a share. */
  readonly noise: number
}

/**
 * Lets a host answer requests for this long, over as many connections as the limit allows, while further sources wait. A new
 * connection takes the time of two answers more.
 * @returns the limit after each answer
 */
function limitsWith(
  { answerMs, perSecond, noise }: Host,
  forMs: number,
  limit = new SourceLimit(64),
  startMs = 0,
) {
  const random = seededRandom(5)
  const answers: { readonly atMs: number; readonly limit: number }[] = []
  const events: { readonly atMs: number; readonly isAnswer: boolean }[] = []
  let nowMs = startMs
  let freeMs = startMs
  let openCount = 0
  const openMore = () => {
    for (; openCount < limit.limit; openCount++) events.push({ atMs: nowMs + 2 * answerMs, isAnswer: false })
  }
  limit.began(startMs)
  openMore()
  while (nowMs < startMs + forMs) {
    events.sort((a, b) => a.atMs - b.atMs)
    const event = events.shift()
    nowMs = event?.atMs ?? Infinity
    if (event?.isAnswer === false) {
      freeMs = Math.max(freeMs, nowMs) + 1000 / perSecond
      const ownMs = answerMs * (1 + noise * (2 * random() - 1))
      events.push({ atMs: Math.max(freeMs, nowMs + ownMs), isAnswer: true })
      continue
    }
    limit.answered(true, nowMs)
    answers.push({ atMs: nowMs - startMs, limit: limit.limit })
    if (openCount <= limit.limit) events.push({ atMs: nowMs, isAnswer: false })
    else openCount -= 1
    openMore()
  }
  return answers
}

/** What share of the answers came under such limits. */
function share(answers: readonly { readonly limit: number }[], isSuch: (limit: number) => boolean) {
  return answers.filter(({ limit }) => isSuch(limit)).length / answers.length
}

describe('The number of connections for small bodies', () => {
  test('is 8 at first, or what the host may have', () => {
    expect([new SourceLimit(64).limit, new SourceLimit(3).limit]).toEqual([8, 3])
  })

  test('doubles with each wave of answers that brings more', () => {
    const answers = limitsWith({ answerMs: 80, perSecond: 5000, noise: 0.2 }, 3000)
    expect(answers.find(({ limit }) => limit === 64)?.atMs).toBeLessThan(700)
    expect(answers.at(-1)?.limit).toBe(64)
  })

  test.each([
    // 16 connections at 100 ms make 160 in a second.
    [{ answerMs: 100, perSecond: 150, noise: 0.2 }, 8, 16],
    [{ answerMs: 100, perSecond: 300, noise: 0.2 }, 16, 32],
    [{ answerMs: 50, perSecond: 150, noise: 0.2 }, 8, 8],
  ])('goes back when the next wave brings no more: %j', (host, least, most) => {
    const answers = limitsWith(host, 200_000)
    expect(share(answers, (limit) => limit >= least && limit <= most)).toBeGreaterThan(0.9)
  })

  test('is at most 32 when the host answers soon: then this machine is the bound', () => {
    const answers = limitsWith({ answerMs: 1, perSecond: 10_000, noise: 0.5 }, 3000)
    expect(answers.find(({ limit }) => limit === 32)?.atMs).toBeLessThan(20)
    expect(Math.max(...answers.map(({ limit }) => limit))).toBe(32)
  })

  test('goes back to 8 when the host complains, and grows again only after half a minute', () => {
    const limit = new SourceLimit(64)
    const host = { answerMs: 80, perSecond: 5000, noise: 0.2 }
    limitsWith(host, 2000, limit)
    limit.complained(2000)
    expect(limitsWith(host, 29_000, limit, 2000).at(-1)?.limit).toBe(8)
    expect(limitsWith(host, 5000, limit, 31_500).at(-1)?.limit).toBe(64)
  })

  test('does not grow while no source waits for a connection', () => {
    const limit = new SourceLimit(64)
    limit.began(0)
    for (let nowMs = 0; nowMs < 100_000; nowMs += 20) limit.answered(false, nowMs)
    expect(limit.limit).toBe(8)
  })
})
