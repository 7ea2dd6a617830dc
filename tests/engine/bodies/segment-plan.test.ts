import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Segment, SegmentPlan, type SegmentSizes } from '../../../server/engine/bodies/segment-plan.ts'
import type { Stretch } from '../../../server/engine/checkpoint/checkpoint.ts'
import '../../support/property-seed.ts'

const SIZES: SegmentSizes = { usualBytes: 100, leastBytes: 10 }

/** The bytes of a body in these tests. */
function bodyOf(totalBytes: number): Uint8Array {
  return Uint8Array.from({ length: totalBytes }, (_, index) => index * 7 + (index >> 8))
}

/** The next bytes of a segment arrive. */
function arrive(
  plan: SegmentPlan,
  body: Uint8Array,
  segment: Segment,
  bytes = segment.end - segment.at,
): void {
  const piece = body.subarray(segment.at, segment.at + bytes)
  plan.arrived(segment, piece.length, Bun.hash.crc32(piece, segment.crc32))
}

function take(plan: SegmentPlan, sizes = SIZES): Segment {
  const segment = plan.take(sizes)
  if (segment === null) throw new Error('there is no segment')
  return segment
}

function first(plan: SegmentPlan): Segment {
  const segment = plan.takeFirst()
  if (segment === null) throw new Error('there is no segment')
  return segment
}

const placeOf = ({ start, at, end }: Segment) => [start, at, end]

describe('a plan of segments', () => {
  test('leaves the first response a usual segment, and divides the rest from the front', () => {
    const plan = new SegmentPlan(1000)
    const response = first(plan)
    expect(placeOf(response)).toEqual([0, 0, 1000])
    arrive(plan, bodyOf(1000), response, 50)
    expect(placeOf(take(plan))).toEqual([150, 150, 250])
    expect(placeOf(response)).toEqual([0, 50, 150])
    expect(placeOf(take(plan))).toEqual([250, 250, 350])
  })

  test('gives half of the longest segment when no bytes are free', () => {
    const plan = new SegmentPlan(150)
    const body = bodyOf(150)
    const response = first(plan)
    arrive(plan, body, response, 30)
    const second = take(plan)
    expect([placeOf(response), placeOf(second)]).toEqual([
      [0, 30, 90],
      [90, 90, 150],
    ])
    arrive(plan, body, second, 50)
    expect(placeOf(take(plan))).toEqual([60, 60, 90])
  })

  test('gives nothing that is not worth a request', () => {
    const plan = new SegmentPlan(30)
    first(plan)
    expect(placeOf(take(plan))).toEqual([15, 15, 30])
    expect(plan.take(SIZES)).toBeNull()
    expect(plan.divisibleBytes(SIZES)).toBe(0)
  })

  test('gives what a connection that broke off has left, with its bytes', () => {
    const plan = new SegmentPlan(1000)
    const body = bodyOf(1000)
    first(plan)
    const broken = take(plan)
    arrive(plan, body, broken, 40)
    plan.release(broken)
    expect(plan.stretches()).toMatchObject([{ start: 100, end: 140 }])
    expect(plan.firstMissing()).toEqual({ start: 140, end: 1000 })
    const again = take(plan)
    expect(placeOf(again)).toEqual([100, 140, 240])
    arrive(plan, body, again)
    expect(plan.stretches()).toEqual([
      { start: 100, end: 240, crc32: Bun.hash.crc32(body.subarray(100, 240)) },
    ])
  })

  test('goes on from the stretches of a checkpoint', () => {
    const body = bodyOf(100)
    const stretch = (start: number, end: number) => ({
      start,
      end,
      crc32: Bun.hash.crc32(body.subarray(start, end)),
    })
    const plan = new SegmentPlan(100, [stretch(0, 20), stretch(50, 60)])
    expect(plan.receivedBytes).toBe(30)
    const gap = first(plan)
    expect(placeOf(gap)).toEqual([0, 20, 50])
    arrive(plan, body, gap)
    const end = first(plan)
    arrive(plan, body, end)
    expect(plan.isWhole).toBe(true)
    expect(plan.stretches()).toEqual([stretch(0, 100)])
  })

  test('can go back to one segment, which forgets the others', () => {
    const plan = new SegmentPlan(1000)
    const body = bodyOf(1000)
    const response = first(plan)
    arrive(plan, body, response, 10)
    const other = take(plan)
    arrive(plan, body, other, 70)
    expect(plan.extendToEnd(response)).toBe(70)
    expect(plan.has(other)).toBe(false)
    expect(() => plan.release(other)).toThrow()
    expect(plan.stretches()).toMatchObject([{ start: 0, end: 10 }])
    arrive(plan, body, response)
    expect(plan.stretches()).toEqual([{ start: 0, end: 1000, crc32: Bun.hash.crc32(body) }])
  })

  test('never lets a segment run past its end', () => {
    const plan = new SegmentPlan(100)
    const response = first(plan)
    expect(() => plan.arrived(response, 101, 0)).toThrow()
    take(plan)
    expect(() => plan.arrived(response, 51, 0)).toThrow()
  })
})

/** What random connections do. Numbers choose among what is possible. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('take'),
      usualBytes: fc.integer({ min: 1, max: 400 }),
      leastBytes: fc.integer({ min: 1, max: 50 }),
    }),
    fc.record({ kind: fc.constant('arrive'), of: fc.nat(), bytes: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ kind: fc.constant('release'), of: fc.nat() }),
    fc.record({ kind: fc.constant('restart') }),
    fc.record({ kind: fc.constant('alone'), of: fc.nat() }),
  ),
  { maxLength: 120 },
)

test('whatever connections do, each missing byte is fetched by one of them, and stretches have their CRC-32', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), steps, (totalBytes, steps) => {
      const body = bodyOf(totalBytes)
      let plan = new SegmentPlan(totalBytes)
      let open: Segment[] = []
      for (const step of steps) {
        const segment = 'of' in step ? open[step.of % Math.max(open.length, 1)] : undefined
        if (step.kind === 'take') {
          const divisibleBytes = plan.divisibleBytes(step)
          const taken = plan.take(step)
          expect(taken !== null).toBe(divisibleBytes > 0)
          if (taken !== null) open.push(taken)
        } else if (step.kind === 'restart') {
          plan = new SegmentPlan(totalBytes, plan.stretches())
          open = []
        } else if (segment === undefined) {
          continue
        } else if (step.kind === 'arrive') {
          arrive(plan, body, segment, Math.min(step.bytes, segment.end - segment.at))
        } else if (step.kind === 'release') {
          plan.release(segment)
          open = open.filter((one) => one !== segment)
        } else {
          plan.extendToEnd(segment)
          open = open.filter((one) => plan.has(one))
        }
        expectConsistent(plan, body, open)
      }
      for (const segment of open) plan.release(segment)
      for (let segment = plan.take(SIZES); segment !== null; segment = plan.take(SIZES)) {
        arrive(plan, body, segment)
        plan.release(segment)
      }
      expect(plan.stretches()).toEqual([{ start: 0, end: totalBytes, crc32: Bun.hash.crc32(body) }])
    }),
    { numRuns: 300 },
  )
})

function expectConsistent(plan: SegmentPlan, body: Uint8Array, open: readonly Segment[]): void {
  const stretches = plan.stretches()
  for (const [index, { start, end, crc32 }] of stretches.entries()) {
    expect(crc32).toBe(Bun.hash.crc32(body.subarray(start, end)))
    expect(start).toBeGreaterThan(stretches[index - 1]?.end ?? -1)
    expect(end).toBeGreaterThan(start)
  }
  expect(plan.receivedBytes).toBe(stretches.reduce((sum, { start, end }) => sum + end - start, 0))
  expect(plan.isWhole).toBe(plan.receivedBytes === body.length)
  const inOrder = open.toSorted((a, b) => a.start - b.start || a.end - b.end)
  for (const [index, { at, end }] of inOrder.entries()) {
    expect(at).toBeLessThanOrEqual(end)
    expect(end).toBeLessThanOrEqual(inOrder[index + 1]?.start ?? body.length)
    const isMissing = (stretch: Stretch) => stretch.end <= at || stretch.start >= end
    expect(at === end || stretches.every(isMissing)).toBe(true)
  }
}
