import { expect, test } from 'bun:test'
import { dateOf, expiryOf } from '../../ui/src/keys/key-expiry.ts'

const NOW = Date.parse('2026-05-03T10:20:30.400Z')

test('A key that never expires has no expiry', () => {
  expect(expiryOf('never', '', NOW)).toBeNull()
})

test('A lifetime is counted from now, in days of 24 hours', () => {
  expect(expiryOf('7', '', NOW)).toBe('2026-05-10T10:20:30.400Z')
  expect(expiryOf('365', '', NOW)).toBe('2027-05-03T10:20:30.400Z')
})

test('A date is the last day that the key is good, where the reader is', () => {
  const end = new Date(2026, 11, 31, 23, 59, 59, 999)
  expect(expiryOf('date', '2026-12-31', NOW)).toBe(end.toISOString())
  expect(dateOf(end.getTime())).toBe('2026-12-31')
  expect(dateOf(end.getTime() + 1)).toBe('2027-01-01')
})

test('While no date is chosen there is no answer', () => {
  expect(expiryOf('date', '', NOW)).toBeUndefined()
  expect(expiryOf('date', '2026-13-01', NOW)).toBeUndefined()
})
