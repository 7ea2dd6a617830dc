import { expect, test } from 'bun:test'
import { gbDaysPerDay, storageUse } from '../../ui/src/account/storage-use.ts'
import type { JobListItem } from '../../ui/src/api/types.ts'

const NOW = Date.parse('2026-05-03T10:00:00Z')
const LATER = '2026-05-04T10:00:00Z'
const EARLIER = '2026-05-02T10:00:00Z'

test('Storage is used by finished archives, by the checkpoints of failed jobs, and by running jobs', () => {
  const use = storageUse(
    [
      job('ready', { zip_size: 300, expires_at: LATER }),
      job('failed', { status: 'failed', zip_size: 100, expires_at: LATER }),
      job('running', { status: 'processing', zip_size: 200, expires_at: null }),
    ],
    NOW,
  )
  expect(use).toMatchObject({ bytes: 600, count: 3 })
  expect(use.largest.map(({ id }) => id)).toEqual(['ready', 'running', 'failed'])
})

test('Expired archives and empty jobs use no storage', () => {
  const jobs = [
    job('expired', { zip_size: 300, expires_at: EARLIER }),
    job('expiring-now', { zip_size: 300, expires_at: new Date(NOW).toISOString() }),
    job('waiting', { status: 'pending', zip_size: 0, expires_at: null }),
  ]
  expect(storageUse(jobs, NOW)).toEqual({ bytes: 0, count: 0, largest: [] })
})

test('All archives are counted, and the five largest are listed', () => {
  const jobs = Array.from({ length: 9 }, (_, index) =>
    job(`${index}`, { zip_size: index + 1, expires_at: LATER }),
  )
  const use = storageUse(jobs, NOW)
  expect(use).toMatchObject({ bytes: 45, count: 9 })
  expect(use.largest.map(({ zip_size }) => zip_size)).toEqual([9, 8, 7, 6, 5])
})

test('A stored gigabyte adds one GB-day per day', () => {
  expect(gbDaysPerDay(2_500_000_000)).toBe(2.5)
})

function job(id: string, overrides: Partial<JobListItem>): JobListItem {
  return {
    id,
    status: 'completed',
    url_count: 1,
    file_count: 1,
    zip_filename: 'archive.zip',
    zip_size: 0,
    fail_on_url_error: true,
    fail_on_warning: false,
    manifest: false,
    warning_count: 0,
    created_at: EARLIER,
    completed_at: null,
    expires_at: null,
    ...overrides,
  }
}
