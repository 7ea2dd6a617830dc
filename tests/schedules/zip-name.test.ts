import { expect, test } from 'bun:test'
import { zipNameOf } from '../../server/schedules/zip-name.ts'

const now = Date.parse('2026-03-01T23:05:00Z')
const named = (zipName: string, name = 'Prices', timeZone = 'Europe/Berlin') =>
  zipNameOf({ zipName, name, timeZone }, now)

test('name, date and time are filled in, as they are in the time zone', () => {
  expect(named('{name} {date} {time}')).toBe('Prices 2026-03-02 0005')
  expect(named('{date}-{date}', 'x', 'America/New_York')).toBe('2026-03-01-2026-03-01')
})

test('braces that name no field stay as they are', () => {
  expect(named('{who} {name}} {{date}')).toBe('{who} Prices} {2026-03-02')
})

test('characters of the name that no file may have are replaced, and it brings no further fields', () => {
  expect(named('{name}', 'a/b\\c: "d"')).toBe('a_b_c_ _d_')
  expect(named('{name}', '{date}')).toBe('{date}')
})

test('a long name is cut to 255 characters', () => {
  expect([...named('{name} {date}', '🗄'.repeat(300))]).toHaveLength(255)
})
