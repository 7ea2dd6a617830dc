import { expect, test } from 'bun:test'
import { expiryOf } from '../../ui/src/base/expiry.ts'

const NOW = Date.parse('2026-05-03T10:20:30.400Z')

test('A key with the lifetime "never" has no expiry', () => {
  expect(expiryOf('never', '', NOW)).toBeNull()
})

test('A lifetime is counted from now, in days of 24 hours', () => {
  expect(expiryOf('7', '', NOW)).toBe('2026-05-10T10:20:30.400Z')
  expect(expiryOf('365', '', NOW)).toBe('2027-05-03T10:20:30.400Z')
})

test('A date is the last day on which the key is valid, in the local time zone', () => {
  const end = new Date(2026, 11, 31, 23, 59, 59, 999)
  expect(expiryOf('date', '2026-12-31', NOW)).toBe(end.toISOString())
})

test('Without a valid date there is no expiry yet', () => {
  expect(expiryOf('date', '', NOW)).toBeUndefined()
  expect(expiryOf('date', '2026-13-01', NOW)).toBeUndefined()
})
