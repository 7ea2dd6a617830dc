import { describe, expect, test } from 'bun:test'

import {
  formatApproximateDuration,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatFullDateTime,
  formatGbDays,
  formatIsoDate,
  formatMonth,
  formatPercent,
  formatRelative,
  formatSpeed,
} from '../../ui/src/base/format.ts'
import { baseCopy } from '../../ui/src/language/english/base.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('Sizes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [1_250, '1.3 kB'],
    [123_456, '123 kB'],
    [999_499, '999 kB'],
    [999_950, '1 MB'],
    [999_999_999, '1 GB'],
    [21_400_000, '21.4 MB'],
    [2_000_000_000, '2 GB'],
    [50_000_000_000_000, '50 TB'],
    [5e15, '5,000 TB'],
  ])('of %p bytes are shown as %p: 1 kB is 1,000 bytes', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  test.each([
    [0, '0 byte/s'],
    [21_400_000, '21.4 MB/s'],
  ])('per second, of %p bytes, are shown as %p', (bytes, text) => {
    expect(formatSpeed(bytes)).toBe(text)
  })
})

describe('Counts', () => {
  test('have thousands separators, and 1 takes the singular', () => {
    expect(formatCount(5_000)).toBe('5,000')
    expect(baseCopy.links(1)).toBe('1 link')
    expect(baseCopy.links(0)).toBe('0 links')
    expect(baseCopy.links(1_200)).toBe('1,200 links')
  })

  test('are rounded down as percentages, so that 100% means all', () => {
    expect(formatPercent(0)).toBe('0%')
    expect(formatPercent(0.999)).toBe('99%')
    expect(formatPercent(1)).toBe('100%')
  })
})

describe('Storage over time', () => {
  test.each([
    [0, '0 GB-days'],
    [0.001, 'under 0.01 GB-days'],
    [1, '1 GB-day'],
    [12.345, '12.35 GB-days'],
    [1_500, '1,500 GB-days'],
  ])('of %p GB-days is shown as %p', (gbDays, text) => {
    expect(formatGbDays(gbDays)).toBe(text)
  })
})

describe('Dates and times', () => {
  const now = new Date(2026, 10, 21, 14, 2).getTime()
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

  test.each([
    [at(2026, 10, 21, 0, 0), 'today, 12:00 AM'],
    [at(2026, 10, 20, 23, 59), 'yesterday, 11:59 PM'],
    [at(2026, 10, 22, 0, 1), 'tomorrow, 12:01 AM'],
    [at(2026, 4, 3, 14, 2), 'May 3, 2:02 PM'],
    [at(2024, 4, 3, 14, 2), 'May 3, 2024'],
  ])('%s: the short form is %p', (iso, text) => {
    expect(plainSpaces(formatDateTime(iso, now))).toBe(text)
  })

  test('in the full form have the weekday and the seconds', () => {
    expect(plainSpaces(formatFullDateTime(at(2026, 4, 3, 14, 2)))).toBe('Sunday, May 3, 2026 at 2:02:00 PM')
  })

  test.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [59_000, 'in less than a minute'],
    [-5 * MINUTE_MS, '5 minutes ago'],
    [-DAY_MS, 'yesterday'],
    [2 * DAY_MS, 'in 2 days'],
    [90 * DAY_MS, 'in 3 months'],
    [-365 * DAY_MS, 'last year'],
  ])('%p ms from now are %p in the relative form', (fromNowMs, text) => {
    expect(formatRelative(new Date(now + fromNowMs).toISOString(), now)).toBe(text)
  })

  test('in the ISO form are dates of the local time zone', () => {
    const endOfYear = new Date(2026, 11, 31, 23, 59, 59, 999).getTime()
    expect(formatIsoDate(endOfYear)).toBe('2026-12-31')
    expect(formatIsoDate(endOfYear + 1)).toBe('2027-01-01')
    expect(formatIsoDate(new Date(2026, 2, 4).getTime())).toBe('2026-03-04')
  })

  test('of a month are in UTC', () => {
    expect(formatMonth('2026-11')).toBe('November 2026')
  })
})

describe('Durations', () => {
  test.each([
    [-1, '0 seconds'],
    [0, '0 seconds'],
    [59_999, '59 seconds'],
    [MINUTE_MS, '1 minute'],
    [HOUR_MS + 5_000, '1 hour'],
    [2 * DAY_MS + 3 * HOUR_MS + MINUTE_MS, '2 days 3 hours'],
  ])('of %p ms are formatted in the two largest units: %p', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test.each([
    [0, '1 second'],
    [7_000, '7 seconds'],
    [42_000, '40 seconds'],
    [90_000, '90 seconds'],
    [3 * MINUTE_MS, '3 minutes'],
    [90 * MINUTE_MS, '90 minutes'],
    [2 * HOUR_MS, '2 hours'],
    [2.6 * HOUR_MS, '2.5 hours'],
    [36 * HOUR_MS, '36 hours'],
    [2.8 * DAY_MS, '3 days'],
  ])('of about %p ms are formatted in one unit: %p', (ms, text) => {
    expect(formatApproximateDuration(ms)).toBe(text)
  })
})

/** Which kind of space precedes AM depends on the version of the Unicode data. */
function plainSpaces(text: string): string {
  return text.replace(/\s/g, ' ')
}
