import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { combineCrc32 } from '../../server/archive/crc32-combine.ts'
import '../support/property-seed.ts'

test('the CRC-32 of two sequences gives that of both together, as zlib computes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
      const whole = crc32(Buffer.concat([first, second]))
      expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(whole)
    }),
  )
})

test('for a second sequence of 100 MB, and in any grouping', () => {
  const parts = [1, 100_000_000, 0, 77_777].map((sizeBytes, index) => Buffer.alloc(sizeBytes, index + 1))
  const [a, b, c, d] = parts.map((bytes) => ({ crc: crc32(bytes), bytes: bytes.length }))
  if (!a || !b || !c || !d) throw new Error('four parts')
  const whole = crc32(Buffer.concat(parts))
  const fromLeft = [b, c, d].reduce((sum, part) => combineCrc32(sum, part.crc, part.bytes), a.crc)
  const tail = combineCrc32(combineCrc32(b.crc, c.crc, c.bytes), d.crc, d.bytes)
  expect([fromLeft, combineCrc32(a.crc, tail, b.bytes + c.bytes + d.bytes)]).toEqual([whole, whole])
})

test('past 4 GiB: of zeros, by doubling, as of one piece after the other', () => {
  const piece = new Uint8Array(MEBIBYTE)
  let doubled = crc32(piece)
  for (let bytes = MEBIBYTE; bytes < 8 * 1024 * MEBIBYTE; bytes *= 2)
    doubled = combineCrc32(doubled, doubled, bytes)
  let followed = 0
  for (let count = 0; count < 8 * 1024; count++) followed = Bun.hash.crc32(piece, followed)
  expect(doubled).toBe(followed)
})

const MEBIBYTE = 1024 * 1024
