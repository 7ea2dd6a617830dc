import { expect, test } from 'bun:test'
import { decodeCursor, decodePosition, encodeCursor, encodePosition } from '../../server/paging.ts'

const position = { createdAt: 1_780_000_000_000, id: '0198c1de-7d1c-7a3e-8b1f-0123456789ab' }

test('a cursor decodes to the position that was encoded', () => {
  expect(decodeCursor('jobs', encodeCursor('jobs', position))).toEqual(position)
  expect(decodePosition('entries', encodePosition('entries', 4_999))).toBe(4_999)
})

test.each([
  '',
  'x',
  '!!!',
  encodePosition('jobs', 3),
  `${encodeCursor('jobs', position)}A`,
  `${encodeCursor('jobs', position)}=`,
])('%p is not a valid cursor', (cursor) => {
  expect(() => decodeCursor('jobs', cursor)).toThrow('not one that this service gave out')
})

test('a cursor of a list is not a valid cursor of another one', () => {
  expect(() => decodeCursor('jobs', encodeCursor('deliveries', position))).toThrow(
    'not one that this service gave out',
  )
  expect(() => decodePosition('entries', encodeCursor('entries', position))).toThrow(
    'not one that this service gave out',
  )
})

test.each([encodeCursor('jobs', position), encodePosition('jobs', 4_999)])(
  'a cursor is invalid after a change of any character',
  (cursor) => {
    const decode = (text: string) => [() => decodeCursor('jobs', text), () => decodePosition('jobs', text)]
    for (let at = 0; at < cursor.length; at++) {
      const others = [...'AZaz09-_'].filter((character) => character !== cursor[at])
      const changed = others.map((character) => cursor.slice(0, at) + character + cursor.slice(at + 1))
      for (const read of changed.flatMap(decode)) expect(read).toThrow('not one that this service gave out')
    }
  },
)
