import { expect, test } from 'bun:test'
import { gbDaysUsed, monthOf } from '../../server/accounts/quota.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const at = (day: number, hour = 0) => Date.UTC(2026, 6, day, hour)
const gigabytes = (count: number, storedAt: number, removedAt: number) => ({
  sizeBytes: count * 1e9,
  storedAt,
  removedAt,
})

test('a month is one of the calendar, in UTC', () => {
  expect(july).toEqual({ name: '2026-07', from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) })
  expect(monthOf(Date.UTC(2026, 11, 31, 23, 59)).to).toBe(Date.UTC(2027, 0, 1))
})

test('usage is size times days, up to the removal of each archive', () => {
  expect(gbDaysUsed([gigabytes(2, at(1), at(4)), gigabytes(1, at(1), at(1, 12))], july, at(20))).toBe(6.5)
})

test('it counts up to now and not ahead', () => {
  expect(gbDaysUsed([gigabytes(1, at(10), at(30))], july, at(12))).toBe(2)
  expect(gbDaysUsed([gigabytes(1, at(20), at(30))], july, at(12))).toBe(0)
})

test('only what lies in the month counts', () => {
  const stay = gigabytes(1, Date.UTC(2026, 5, 20), Date.UTC(2026, 7, 20))
  expect(gbDaysUsed([stay], july, Date.UTC(2026, 7, 25))).toBe(31)
})
