import { describe, expect, test } from 'bun:test'
import { openSlotSharing, type Slot } from '../../server/scheduling/slot-sharing.ts'

let lastJob = 0
function slot(userId: string, urlCount: number, more: Partial<Slot> = {}): Slot {
  return { jobId: `job-${++lastJob}`, userId, urlCount, isPreemptible: true, isStopping: false, ...more }
}

/** Pending jobs as [user, number of URLs]. */
function pending(...jobs: readonly (readonly [string, number])[]) {
  return (maxUrls: number) => [
    ...new Set(jobs.filter(([, urlCount]) => urlCount <= maxUrls).map(([userId]) => userId)),
  ]
}

const LONG = 5_000
const longJobs = (userId: string, count: number) => Array.from({ length: count }, () => slot(userId, LONG))
const shortJobs = (userId: string, count: number) => Array.from({ length: count }, () => slot(userId, 1))

describe('With eight slots', () => {
  const sharing = () => openSlotSharing(() => 8)

  test('at most four long jobs run, so that four slots stay free for short jobs', () => {
    const four = longJobs('ann', 4)
    expect(sharing().next(four.slice(1), pending(['ann', LONG]))).toMatchObject({ kind: 'claim' })
    expect(sharing().next(four, pending(['ann', LONG]))).toBeNull()
    const claim = sharing().next(four, pending(['ann', LONG], ['ann', 1]))
    expect(claim).toMatchObject({ kind: 'claim', userId: 'ann' })
    expect(claim?.kind === 'claim' && claim.maxUrls).toBeLessThan(LONG)
  })

  test('short jobs may use all slots', () => {
    const seven = Array.from({ length: 7 }, () => slot('ann', 1))
    expect(sharing().next(seven, pending(['ann', 1]))).toMatchObject({ kind: 'claim', userId: 'ann' })
    expect(sharing().next([...seven, slot('ann', 1)], pending(['ann', 1]))).toBeNull()
  })

  test('a long job of another user preempts a long job, but never a short one', () => {
    const last = slot('ann', LONG)
    const four = [...longJobs('ann', 3), last]
    const taken = [...four, ...shortJobs('ann', 4)]
    expect(sharing().next(taken, pending(['bob', LONG]))).toEqual({ kind: 'preempt', slot: last })
    expect(sharing().next(four, pending(['bob', LONG]))).toEqual({ kind: 'preempt', slot: last })
  })

  test('a long job of another user preempts a long job, even while a short job of the first user waits', () => {
    const last = slot('ann', LONG)
    const taken = [...longJobs('ann', 3), last, ...shortJobs('ann', 4)]
    const waiting = pending(['ann', 1], ['bob', LONG])
    expect(sharing().next(taken, waiting)).toEqual({ kind: 'preempt', slot: last })
  })

  test('no job is preempted while another one stops, and no job that is about to end', () => {
    const stopping = [...longJobs('ann', 3), slot('ann', LONG, { isStopping: true, isPreemptible: false })]
    expect(sharing().next(stopping, pending(['bob', LONG]))).toBeNull()
    const last = slot('ann', LONG)
    const ending = [...longJobs('ann', 2), last, slot('ann', LONG, { isPreemptible: false })]
    expect(sharing().next(ending, pending(['bob', LONG]))).toEqual({ kind: 'preempt', slot: last })
  })

  test('no long job is preempted when the users already share the slots evenly', () => {
    const taken = [...longJobs('ann', 2), ...longJobs('bob', 2)]
    expect(sharing().next(taken, pending(['ann', LONG], ['bob', LONG]))).toBeNull()
  })
})

test('With fewer than four slots, no slot is reserved for short jobs', () => {
  const sharing = openSlotSharing(() => 3)
  expect(sharing.next(longJobs('ann', 2), pending(['ann', LONG]))).toMatchObject({ kind: 'claim' })
  expect(sharing.next(longJobs('ann', 3), pending(['ann', LONG], ['ann', 1]))).toBeNull()
})

test('the next slot is for the user with the fewest slots, or of several such users for the one whose last claim is the oldest', () => {
  const sharing = openSlotSharing(() => 8)
  sharing.recordClaim('bob')
  sharing.recordClaim('ann')
  expect(sharing.next([slot('ann', 1), slot('bob', 1)], pending(['ann', 1], ['bob', 1]))).toMatchObject({
    userId: 'bob',
  })
  expect(sharing.next([slot('bob', 1)], pending(['ann', 1], ['bob', 1]))).toMatchObject({ userId: 'ann' })
})

test('a user whose job was preempted gets no slot until the hold-back ends', () => {
  const sharing = openSlotSharing(() => 2)
  const taken = shortJobs('ann', 2)
  const [first, second] = taken
  if (first === undefined || second === undefined) throw new Error('a slot is missing')
  expect(sharing.next(taken, pending(['bob', 1]))).toEqual({ kind: 'preempt', slot: second })
  sharing.holdBack(second, taken)
  expect(sharing.next([first], pending(['ann', 1]))).toBeNull()
  sharing.endHoldBacks()
  expect(sharing.next([first], pending(['ann', 1]))).toMatchObject({ kind: 'claim', userId: 'ann' })
})
