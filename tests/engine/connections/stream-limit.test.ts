import { describe, expect, test } from 'bun:test'
import { StreamLimit } from '../../../server/engine/connections/stream-limit.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const MB = 1_000_000

interface Host {
  /** What one connection brings at most, in bytes per second. */
  readonly perConnection: number
  /** What the line brings at most. */
  readonly line: number
  /** How much a rate differs from its mean at most, as a share. */
  readonly noise: number
}

/**
 * Lets a host send for this long, over as many connections as the limit allows. A new connection takes half a second to get to its
 * rate.
 * @returns the limit at the end of each second
 */
function limitsWith(
  { perConnection, line, noise }: Host,
  seconds: number,
  limit = new StreamLimit(),
  startMs = 0,
) {
  const random = seededRandom(5)
  const limits: number[] = []
  const openedMs: number[] = []
  for (let nowMs = startMs; nowMs < startMs + seconds * 1000; nowMs += STEP_MS) {
    openedMs.length = Math.min(openedMs.length, limit.limit)
    while (openedMs.length < limit.limit) openedMs.push(nowMs)
    const wanted = openedMs.reduce((sum, at) => sum + perConnection * Math.min(1, (nowMs - at) / 500), 0)
    const rate = Math.min(line, wanted) * (1 + noise * (2 * random() - 1))
    limit.received((rate * STEP_MS) / 1000, { streams: openedMs.length, isFull: true }, nowMs)
    if ((nowMs - startMs) % 1000 >= 1000 - STEP_MS) limits.push(limit.limit)
  }
  return limits
}

const STEP_MS = 10

describe('The number of large bodies that a host sends at once', () => {
  test('is 8 at first', () => {
    expect(new StreamLimit().limit).toBe(8)
  })

  test('grows to 64 within nine seconds when the host limits each connection', () => {
    const limits = limitsWith({ perConnection: 0.2 * MB, line: 1000 * MB, noise: 0.1 }, 30)
    expect(limits[8]).toBe(64)
    expect(limits.at(-1)).toBe(64)
  })

  test('grows until the line is full, and goes back from what brings nothing', () => {
    const limits = limitsWith({ perConnection: 5 * MB, line: 120 * MB, noise: 0.1 }, 60)
    expect(Math.max(...limits)).toBeLessThanOrEqual(64)
    // 24 connections fill the line.
    expect(limits.at(-1)).toBeWithin(24, 41)
    expect(limits.filter((limit) => limit === 64).length).toBeLessThan(6)
  })

  test('stays at 8 when these fill the line, but for rare trials', () => {
    const limits = limitsWith({ perConnection: 10 * MB, line: 25 * MB, noise: 0.1 }, 300)
    expect(limits.filter((limit) => limit > 8).length).toBeLessThan(30)
    // After the first trial, a smaller one must do.
    expect(Math.max(...limits.slice(10))).toBeLessThanOrEqual(10)
  })

  test('stays at 8 when each connection is fast: then this machine is the bound', () => {
    const limits = limitsWith({ perConnection: 60 * MB, line: 10_000 * MB, noise: 0.1 }, 30)
    expect(new Set(limits)).toEqual(new Set([8]))
  })

  test('goes back to 8 when the host complains, and grows again only after 30 seconds', () => {
    const limit = new StreamLimit()
    const host = { perConnection: 0.2 * MB, line: 1000 * MB, noise: 0.1 }
    limitsWith(host, 10, limit)
    expect(limit.limit).toBe(64)
    limit.complained(10_000)
    expect(limit.limit).toBe(8)
    expect(limit.isWorthMore(39_999)).toBe(false)
    const limits = limitsWith(host, 60, limit, 10_000)
    expect(limits.slice(0, 29)).toEqual(Array.from({ length: 29 }, () => 8))
    expect(limits.at(-1)).toBeGreaterThan(30)
  })
})

describe('More streams are worth it', () => {
  test('only when two windows have told how slow they are', () => {
    const limit = new StreamLimit()
    const isWorthMore: boolean[] = []
    for (const nowMs of [0, 250, 500]) {
      limit.received(100_000, { streams: 1, isFull: false }, nowMs)
      isWorthMore.push(limit.isWorthMore(nowMs))
    }
    expect(isWorthMore).toEqual([false, false, true])
    expect(limit.streamBytesPerSecond).toBe(400_000)
  })

  test('only when they bring less than 16 MiB a second each', () => {
    const limit = new StreamLimit()
    for (const nowMs of [0, 250, 500]) limit.received(10 * MB, { streams: 2, isFull: false }, nowMs)
    expect(limit.isWorthMore(500)).toBe(false)
  })
})
