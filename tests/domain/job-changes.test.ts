import { expect, test } from 'bun:test'
import { openJobChanges } from '../../server/jobs/job-changes.ts'
import { openLiveProgress } from '../../server/jobs/progress.ts'

const JOB = { jobId: 'job', userId: 'user' }

function running() {
  const time = { now: 0 }
  const live = openLiveProgress(() => time.now)
  live.begin(JOB, (position) => `http://x/${position}`)
  const progress = (receivedBytes: number, position = 0) =>
    live.record(JOB.jobId, {
      fileCount: 0,
      zipBytes: 0,
      receivedBytes,
      entries: [{ position, status: 'fetching', name: null, sizeBytes: receivedBytes, error: null }],
    })
  return { live, time, progress }
}

test('a client that takes no changes gets only the latest change of each entry', () => {
  const { live, progress } = running()
  using watch = openJobChanges(live, { jobId: JOB.jobId })
  for (let round = 0; round < 100_000; round++) progress(round, round % 10)
  const { entries, jobIds, rowChanged } = watch.take()
  expect([jobIds, rowChanged, entries.length]).toEqual([['job'], false, 10])
  expect(entries.at(-1)).toMatchObject({ position: 9, url: 'http://x/9', sizeBytes: 99_999 })
  expect(watch.take()).toEqual({ jobIds: [], rowChanged: false, entries: [], overflowed: false })
})

test('the changes of a list overflow instead of growing without limit', () => {
  const { live } = running()
  using watch = openJobChanges(live, { userId: JOB.userId })
  for (let index = 0; index < 10_000; index++) live.changed({ jobId: `${index}`, userId: JOB.userId })
  live.changed({ jobId: '0', userId: JOB.userId })
  expect(watch.take()).toMatchObject({ overflowed: false })
  for (let index = 0; index <= 10_000; index++) live.changed({ jobId: `${index}`, userId: JOB.userId })
  const { jobIds, overflowed } = watch.take()
  expect([jobIds.length, overflowed]).toEqual([10_000, true])
})

test('changes of other jobs, and changes after it is disposed of, are not collected', () => {
  const { live, progress } = running()
  const watch = openJobChanges(live, { jobId: 'another' })
  progress(1)
  expect(watch.take().jobIds).toEqual([])
  const mine = openJobChanges(live, { jobId: JOB.jobId })
  mine[Symbol.dispose]()
  live.end(JOB)
  expect(mine.take().jobIds).toEqual([])
})

test('the rate is that of the last three seconds', () => {
  const { live, time, progress } = running()
  expect(live.bytesPerSecond(JOB.jobId)).toBe(0)
  for (const second of [1, 2, 3, 4, 5, 6]) {
    time.now = second * 1_000
    progress(second * 500)
  }
  expect(live.bytesPerSecond(JOB.jobId)).toBe(500)
  time.now += 1_500
  expect(live.bytesPerSecond(JOB.jobId)).toBeLessThan(500)
  time.now += 3_000
  expect(live.bytesPerSecond(JOB.jobId)).toBe(0)
  live.end(JOB)
  expect(live.bytesPerSecond(JOB.jobId)).toBe(0)
})
