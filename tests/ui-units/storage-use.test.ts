import { expect, test } from 'bun:test'
import { gbDaysPerDay, storageUse } from '../../ui/src/account/storage-use.ts'
import type { JobListItem } from '../../ui/src/api/types.ts'

const NOW = Date.parse('2026-05-03T10:00:00Z')
const LATER = '2026-05-04T10:00:00Z'
const EARLIER = '2026-05-02T10:00:00Z'

test('Space is held by archives, by what failed jobs keep and by what running ones have so far', () => {
  const held = storageUse(
    [
      job('ready', { zip_size: 300, expires_at: LATER }),
      job('failed', { status: 'failed', zip_size: 100, expires_at: LATER }),
      job('running', { status: 'processing', zip_size: 200, expires_at: null }),
    ],
    NOW,
  )
  expect(held).toMatchObject({ bytes: 600, count: 3 })
  expect(held.largest.map(({ id }) => id)).toEqual(['ready', 'running', 'failed'])
})

test('Neither by what has expired nor by what is empty', () => {
  const jobs = [
    job('expired', { zip_size: 300, expires_at: EARLIER }),
    job('on-time', { zip_size: 300, expires_at: new Date(NOW).toISOString() }),
    job('waiting', { status: 'pending', zip_size: 0, expires_at: null }),
  ]
  expect(storageUse(jobs, NOW)).toEqual({ bytes: 0, count: 0, largest: [] })
})

test('Of many, the five largest are named, and all are counted', () => {
  const jobs = Array.from({ length: 9 }, (_, index) =>
    job(`${index}`, { zip_size: index + 1, expires_at: LATER }),
  )
  const held = storageUse(jobs, NOW)
  expect(held).toMatchObject({ bytes: 45, count: 9 })
  expect(held.largest.map(({ zip_size }) => zip_size)).toEqual([9, 8, 7, 6, 5])
})

test('A gigabyte that stays adds a GB-day each day', () => {
  expect(gbDaysPerDay(2_500_000_000)).toBe(2.5)
})

function job(id: string, traits: Partial<JobListItem>): JobListItem {
  return {
    id,
    status: 'completed',
    url_count: 1,
    file_count: 1,
    zip_filename: 'archive.zip',
    zip_size: 0,
    fail_on_url_error: true,
    created_at: EARLIER,
    completed_at: null,
    expires_at: null,
    ...traits,
  }
}
