import { expect, test } from 'bun:test'
import { decodeCursor, decodePosition, encodeCursor, encodePosition } from '../../server/jobs/cursor.ts'

const place = { createdAt: 1_780_000_000_000, id: '0198c1de-7d1c-7a3e-8b1f-0123456789ab' }

test('a cursor decodes to the position that it was made from', () => {
  expect(decodeCursor(encodeCursor(place))).toEqual(place)
  expect(decodePosition(encodePosition(4_999))).toBe(4_999)
})

test.each(['', 'x', '!!!', encodePosition(3), `${encodeCursor(place)}A`, `${encodeCursor(place)}=`])(
  '%p is unreadable',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow('not one that this service gave out')
  },
)

test('a cursor of one list is refused by the other', () => {
  expect(() => decodePosition(encodeCursor(place))).toThrow('not one that this service gave out')
})

test.each([encodeCursor(place), encodePosition(4_999)])(
  'a cursor of which any character is changed is unreadable',
  (cursor) => {
    const decode = (text: string) => [() => decodeCursor(text), () => decodePosition(text)]
    for (let at = 0; at < cursor.length; at++) {
      const others = [...'AZaz09-_'].filter((character) => character !== cursor[at])
      const changed = others.map((character) => cursor.slice(0, at) + character + cursor.slice(at + 1))
      for (const read of changed.flatMap(decode)) expect(read).toThrow('not one that this service gave out')
    }
  },
)
