import { describe, expect, test } from 'bun:test'
import { deliveryChangeAfter } from '../../server/notifiers/delivery-change.ts'

const NOW = Date.UTC(2026, 6, 1)
const responded = (responseStatus: number) => ({ responseStatus, error: null }) as const
const first = { type: 'job.completed', attempts: 0 } as const

describe('After an attempt that gets a response or fails', () => {
  test.each([200, 204, 299])('%i is delivered', (status) => {
    expect(deliveryChangeAfter(responded(status), first, NOW, Math.random)).toEqual({
      status: 'delivered',
      responseStatus: status,
      error: null,
      nextAttemptAt: null,
      isGone: false,
    })
  })

  test.each([199, 300, 302, 404, 429, 500])('%i is followed by another attempt', (status) => {
    expect(deliveryChangeAfter(responded(status), first, NOW, () => 0.5)).toEqual({
      status: 'pending',
      responseStatus: status,
      error: `HTTP ${status}`,
      nextAttemptAt: NOW + 5_000,
      isGone: false,
    })
  })

  test('410 ends the delivery, and the notifier is gone', () => {
    expect(deliveryChangeAfter(responded(410), first, NOW, Math.random)).toMatchObject({
      status: 'failed',
      isGone: true,
    })
  })

  test('the delays grow, with a tenth of jitter, up to the eighth attempt', () => {
    const failed = { responseStatus: null, error: 'Timed out' } as const
    const delays = (random: number) =>
      Array.from({ length: 8 }, (_, attempts) => {
        const { nextAttemptAt } = deliveryChangeAfter(failed, { ...first, attempts }, NOW, () => random)
        return nextAttemptAt === null ? null : (nextAttemptAt - NOW) / 1000
      })
    expect(delays(0.5)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, null])
    expect(delays(0).slice(0, 2)).toEqual([4.5, 270])
    expect(delays(1).slice(0, 2)).toEqual([5.5, 330])
  })

  test('a ping is attempted once', () => {
    const outcome = deliveryChangeAfter(responded(500), { type: 'ping', attempts: 0 }, NOW, Math.random)
    expect(outcome).toMatchObject({ status: 'failed', nextAttemptAt: null })
  })
})
