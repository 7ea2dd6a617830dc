import { describe, expect, test } from 'bun:test'
import type { JobListItem } from '../../ui/src/api/types.ts'
import {
  affectsCounts,
  appendPage,
  applyChange,
  type ListedJobs,
} from '../../ui/src/archive-list/listed-jobs.ts'

const LISTED = listed([5, 3, 1], 'more')

describe('A changed job', () => {
  test('keeps its place in the list', () => {
    expect(applyChange(LISTED, { job: job(3, 'failed') }, undefined).jobs).toEqual([
      job(5),
      job(3, 'failed'),
      job(1),
    ])
    expect(applyChange(LISTED, { job: job(1, 'failed') }, undefined).jobs.at(-1)).toEqual(job(1, 'failed'))
  })

  test('keeps the sample of its files, which events do not have', () => {
    const sample = [{ host: 'a.test', extension: 'jpg', size: 5 }]
    const before = { jobs: [{ ...job(3), sample }], nextCursor: null }
    expect(applyChange(before, { job: job(3, 'failed') }, undefined).jobs).toEqual([
      { ...job(3, 'failed'), sample },
    ])
  })

  test('is removed from a list of another status', () => {
    expect(createdSeconds(applyChange(LISTED, { job: job(3, 'failed') }, 'completed'))).toEqual([5, 1])
  })

  test('is inserted in order into the list of its status', () => {
    expect(createdSeconds(applyChange(LISTED, { job: job(4) }, 'completed'))).toEqual([5, 4, 3, 1])
  })
})

test('Cancelled jobs are in a list of their own, and not among those that failed otherwise', () => {
  const cancelled = { ...job(3, 'failed'), failure: { code: 'CANCELLED', message: '' } as const }
  expect(createdSeconds(applyChange(LISTED, { job: cancelled }, 'failed'))).toEqual([5, 1])
  expect(applyChange(LISTED, { job: cancelled }, 'cancelled').jobs).toContainEqual(cancelled)
  expect(createdSeconds(applyChange(LISTED, { job: job(3, 'failed') }, 'cancelled'))).toEqual([5, 1])
})

test('During a search, a job that was not found is added only if its name contains the text', () => {
  const named = { ...job(9), zip_filename: 'Summer.zip' }
  expect(createdSeconds(applyChange(LISTED, { job: named }, undefined, 'summer'))).toEqual([9, 5, 3, 1])
  expect(applyChange(LISTED, { job: job(9) }, undefined, 'summer')).toEqual(LISTED)
  expect(applyChange(LISTED, { job: job(3, 'failed') }, undefined, 'summer').jobs[1]?.status).toBe('failed')
})

test('A new job comes first', () => {
  expect(createdSeconds(applyChange(LISTED, { job: job(9) }, undefined))).toEqual([9, 5, 3, 1])
  expect(createdSeconds(applyChange(listed([], null), { job: job(9) }, undefined))).toEqual([9])
})

test('Of two jobs created at the same time, the one with the greater id comes first', () => {
  const sameAge = { ...job(3), id: 'zzz' }
  expect(applyChange(LISTED, { job: sameAge }, undefined).jobs[1]).toEqual(sameAge)
})

test('A job older than all loaded ones is added only if there is no next page', () => {
  expect(createdSeconds(applyChange(LISTED, { job: job(0) }, undefined))).toEqual([5, 3, 1])
  expect(createdSeconds(applyChange(listed([5, 3], null), { job: job(0) }, undefined))).toEqual([5, 3, 0])
})

test('A deleted job is removed, and deleting an unlisted job changes nothing', () => {
  expect(createdSeconds(applyChange(LISTED, { deleted: 'job-3' }, undefined))).toEqual([5, 1])
  expect(createdSeconds(applyChange(LISTED, { deleted: 'job-7' }, undefined))).toEqual([5, 3, 1])
})

test('The next page is added without the jobs that are there already', () => {
  expect(appendPage(LISTED, listed([1, 0], null))).toEqual(listed([5, 3, 1, 0], null))
})

describe('The numbers of jobs by status are asked for again when they may have changed', () => {
  test.each([
    [{ job: job(3, 'failed') }, true],
    [{ job: job(9) }, true],
    [{ deleted: 'job-3' }, true],
    [{ job: { ...job(3), zip_size: 7 } }, false],
  ] as const)('for %j: %p', (change, expected) => {
    expect(affectsCounts(LISTED, change)).toBe(expected)
  })
})

function listed(created: readonly number[], nextCursor: string | null): ListedJobs {
  return { jobs: created.map((at) => job(at)), nextCursor }
}

function createdSeconds({ jobs }: ListedJobs): number[] {
  return jobs.map(({ created_at }) => new Date(created_at).getUTCSeconds())
}

/** A job created at this second. */
function job(createdSecond: number, status: JobListItem['status'] = 'completed'): JobListItem {
  return {
    id: `job-${createdSecond}`,
    status,
    url_count: 1,
    file_count: 1,
    zip_filename: 'archive.zip',
    zip_size: 100,
    fail_on_url_error: true,
    fail_on_warning: false,
    manifest: false,
    warning_count: 0,
    created_at: new Date(createdSecond * 1000).toISOString(),
    completed_at: null,
    expires_at: null,
  }
}
