import { expect, test } from 'bun:test'
import { openChangeCollector } from '../../server/jobs/changes.ts'
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
      reusedCount: 0,
      warningCount: 0,
      receivedBytes,
      doneFraction: 0,
      entries: [
        {
          position,
          status: 'fetching',
          name: null,
          sizeBytes: receivedBytes,
          sha256: null,
          expectedBytes: null,
          error: null,
          warning: null,
        },
      ],
    })
  return { live, time, progress }
}

test('changes that a client has not read are merged into the latest change of each entry', () => {
  const { live, progress } = running()
  using watch = openChangeCollector(live, { jobId: JOB.jobId })
  for (let round = 0; round < 100_000; round++) progress(round, round % 10)
  const { entries, jobs, rowChanged } = watch.take()
  expect([jobs, rowChanged, entries.length]).toEqual([[{ jobId: 'job', rowChanged: false }], false, 10])
  expect(entries.at(-1)).toMatchObject({ position: 9, url: 'http://x/9', sizeBytes: 99_999 })
  expect(watch.take()).toEqual({ jobs: [], rowChanged: false, entries: [], overflowed: false })
})

test('all watches of a list share the same object for a change, and get a new one for the next change', () => {
  const { live, progress } = running()
  using one = openChangeCollector(live, { userId: JOB.userId })
  using other = openChangeCollector(live, { userId: JOB.userId })
  const taken = () => [one, other].map((watch) => watch.take().jobs[0])
  progress(1)
  progress(2)
  const [first, same] = taken()
  expect(first).toEqual({ jobId: 'job', rowChanged: false })
  expect(same).toBe(first)
  live.end(JOB)
  expect(taken()[0]).toEqual({ jobId: 'job', rowChanged: true })
})

test('unread changes of a list of jobs overflow instead of growing without limit', () => {
  const { live } = running()
  using watch = openChangeCollector(live, { userId: JOB.userId })
  for (let index = 0; index < 10_000; index++) live.changed({ jobId: `${index}`, userId: JOB.userId })
  live.changed({ jobId: '0', userId: JOB.userId })
  expect(watch.take()).toMatchObject({ overflowed: false })
  for (let index = 0; index <= 10_000; index++) live.changed({ jobId: `${index}`, userId: JOB.userId })
  const { jobs, overflowed } = watch.take()
  expect([jobs.length, overflowed]).toEqual([10_000, true])
})

test('a watch collects no changes of other jobs, and none after it is disposed of', () => {
  const { live, progress } = running()
  const watch = openChangeCollector(live, { jobId: 'another' })
  progress(1)
  expect(watch.take().jobs).toEqual([])
  const mine = openChangeCollector(live, { jobId: JOB.jobId })
  mine[Symbol.dispose]()
  live.end(JOB)
  expect(mine.take().jobs).toEqual([])
})

test('the speed is the average of the last three seconds', () => {
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
