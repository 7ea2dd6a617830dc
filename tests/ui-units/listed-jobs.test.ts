import { describe, expect, test } from 'bun:test'
import type { JobListItem } from '../../ui/src/api/types.ts'
import {
  affectsCounts,
  appendPage,
  applyChange,
  type ListedJobs,
} from '../../ui/src/archive-list/listed-jobs.ts'

const LISTED = listed([5, 3, 1], 'more')

describe('A job that changes', () => {
  test('stays at its place', () => {
    expect(applyChange(LISTED, { job: job(3, 'failed') }, undefined).jobs).toEqual([
      job(5),
      job(3, 'failed'),
      job(1),
    ])
    expect(applyChange(LISTED, { job: job(1, 'failed') }, undefined).jobs.at(-1)).toEqual(job(1, 'failed'))
  })

  test('leaves a list of another status', () => {
    expect(ages(applyChange(LISTED, { job: job(3, 'failed') }, 'completed'))).toEqual([5, 1])
  })

  test('comes into the list of its status at its place', () => {
    expect(ages(applyChange(LISTED, { job: job(4) }, 'completed'))).toEqual([5, 4, 3, 1])
  })
})

test('A new job is the first', () => {
  expect(ages(applyChange(LISTED, { job: job(9) }, undefined))).toEqual([9, 5, 3, 1])
  expect(ages(applyChange(listed([], null), { job: job(9) }, undefined))).toEqual([9])
})

test('Of jobs made in the same moment, the greater id comes first', () => {
  const twin = { ...job(3), id: 'zzz' }
  expect(applyChange(LISTED, { job: twin }, undefined).jobs[1]).toEqual(twin)
})

test('A job below the last page is left to its page, where there is another', () => {
  expect(ages(applyChange(LISTED, { job: job(0) }, undefined))).toEqual([5, 3, 1])
  expect(ages(applyChange(listed([5, 3], null), { job: job(0) }, undefined))).toEqual([5, 3, 0])
})

test('A job that is deleted goes; one that was not listed changes nothing', () => {
  expect(ages(applyChange(LISTED, { deleted: 'job-3' }, undefined))).toEqual([5, 1])
  expect(ages(applyChange(LISTED, { deleted: 'job-7' }, undefined))).toEqual([5, 3, 1])
})

test('A page goes on where the list ended, and what both hold is there once', () => {
  expect(appendPage(LISTED, listed([1, 0], null))).toEqual(listed([5, 3, 1, 0], null))
})

describe('The numbers of jobs may have changed', () => {
  test.each([
    [{ job: job(3, 'failed') }, true],
    [{ job: job(9) }, true],
    [{ deleted: 'job-3' }, true],
    [{ job: { ...job(3), zip_size: 7 } }, false],
  ] as const)('by %j: %p', (change, expected) => {
    expect(affectsCounts(LISTED, change)).toBe(expected)
  })
})

function listed(created: readonly number[], nextCursor: string | null): ListedJobs {
  return { jobs: created.map((at) => job(at)), nextCursor }
}

function ages({ jobs }: ListedJobs): number[] {
  return jobs.map(({ created_at }) => new Date(created_at).getUTCSeconds())
}

/** A job made at this second. */
function job(createdSecond: number, status: JobListItem['status'] = 'completed'): JobListItem {
  return {
    id: `job-${createdSecond}`,
    status,
    url_count: 1,
    file_count: 1,
    zip_filename: 'archive.zip',
    zip_size: 100,
    fail_on_url_error: true,
    created_at: new Date(createdSecond * 1000).toISOString(),
    completed_at: null,
    expires_at: null,
  }
}
