import { describe, expect, test } from 'bun:test'
import { ReadingOrder } from '../../../server/engine/sources/reading-order.ts'

/** Bodies that arrive over a line, by a clock that the test moves. What may not be read brings nothing. */
function arriving(bodies: number, { lineRate = Infinity, rateOfEach = Infinity, readers = 1 }) {
  let nowMs = 0
  const order = new ReadingOrder(
    () => readers,
    () => nowMs,
  )
  const begun = Array.from({ length: bodies }, (_, position) => order.begin(position))
  const allowed = () => begun.flatMap((_, position) => (order.turn(position) === null ? [position] : []))
  return {
    order,
    begun,
    allowed,
    /** A quarter of a second in which nothing arrives. */
    stall() {
      nowMs += 250
      order.received(0)
    },
    /** @returns how many bodies were read, at each moment */
    run(seconds: number): number[] {
      return Array.from({ length: seconds * 20 }, () => {
        nowMs += 50
        const reading = allowed().length
        order.received((Math.min(lineRate, reading * rateOfEach) * 50) / 1000)
        return reading
      })
    },
  }
}

describe('While a client downloads the archive', () => {
  test('large bodies arrive one after the other if the line is the bound', () => {
    const line = arriving(8, { lineRate: 25e6 })
    using _order = line.order
    line.run(10)
    expect(line.allowed()).toEqual([0])
    line.begun[0]?.[Symbol.dispose]()
    expect(line.order.turn(1)).toBeNull()
    expect(line.order.turn(2)).not.toBeNull()
  })

  test('all arrive at once if their host limits each connection, but for one short trial in twenty seconds', () => {
    const line = arriving(8, { rateOfEach: 5e6 })
    using _order = line.order
    const reading = line.run(20)
    expect(reading.filter((count) => count < 8).length / 20).toBeLessThan(2.5)
    expect(line.allowed()).toHaveLength(8)
  })

  test('a body that stops does not hold up the others', async () => {
    const line = arriving(8, { lineRate: 25e6 })
    using _order = line.order
    line.run(10)
    const waiting = line.order.turn(5)
    expect(waiting).not.toBeNull()
    for (let tick = 0; tick < 20 && line.order.turn(5) !== null; tick++) line.stall()
    await waiting
  })
})

test('Without a client, all arrive at once', () => {
  const line = arriving(8, { lineRate: 25e6, readers: 0 })
  using _order = line.order
  expect(new Set(line.run(10))).toEqual(new Set([8]))
})
