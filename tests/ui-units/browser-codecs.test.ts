import { expect, test } from 'bun:test'
import { crc32 as nativeCrc32 } from 'node:zlib'
import { crc32 } from '../../ui/src/check-zip/crc32.ts'

test('The CRC-32 of the browser is that of zlib, in one piece and in several', () => {
  const bytes = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251)
  for (const length of [0, 1, 7, 8, 9, 1000, 3000]) {
    const part = bytes.slice(0, length)
    expect(crc32(part, 0)).toBe(nativeCrc32(part))
    expect(crc32(bytes.slice(length), crc32(part, 0))).toBe(nativeCrc32(bytes))
  }
})
