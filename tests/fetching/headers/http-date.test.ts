import { expect, test } from 'bun:test'
import { parseHttpDate } from '../../../server/fetching/headers/http-date.ts'

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Sun, 06 Nov 1994 08:49:37 +0100', '1994-11-06T07:49:37.000Z'],
  ['Sun, 06 Nov 1994 08:49:37', '1994-11-06T08:49:37.000Z'],
  ['1994-11-06T08:49:37Z', '1994-11-06T08:49:37.000Z'],
])('%s is a date', (text, expected) => {
  expect(new Date(parseHttpDate(text) ?? Number.NaN).toISOString()).toBe(expected)
})

test.each([null, '', '0', '-1', '2025', 'now', 'Sun, 06 Nov 1994', 'Xyz, 99 Foo 1994 08:49:37 GMT'])(
  '%p is refused as a date',
  (text) => {
    expect(parseHttpDate(text)).toBeNull()
  },
)
