import { expect, test } from 'bun:test'
import { constants, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { ZstdFrames } from '../../../server/fetching/content/zstd-frames.ts'

test('a stream is whole after each of its frames and nowhere else, however it is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(frame(), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 50 }),
      (frames, step) => {
        const ends = new Set([0])
        for (const { length } of frames) ends.add(Math.max(...ends) + length)
        const stream = Buffer.concat(frames)
        const follower = new ZstdFrames()
        for (let at = 0; at < stream.length; at += step) {
          follower.follow(stream.subarray(at, at + step))
          expect(follower.areWhole).toBe(ends.has(Math.min(at + step, stream.length)))
        }
      },
    ),
  )
})

/** Frames of every kind: with raw, compressed and RLE blocks, with and without checksum and size; and skippable ones. */
function frame(): fc.Arbitrary<Uint8Array> {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.integer({ min: 0, max: 300_000 }).map((bytes) => new Uint8Array(bytes)),
    fc.string({ maxLength: 2000 }).map((text) => Buffer.from(text.repeat(10))),
  )
  const compressed = fc.tuple(content, fc.boolean(), fc.boolean()).map(([bytes, hasChecksum, hasSize]) =>
    zstdCompressSync(bytes, {
      params: {
        [constants.ZSTD_c_checksumFlag]: Number(hasChecksum),
        [constants.ZSTD_c_contentSizeFlag]: Number(hasSize),
      },
    }),
  )
  const skippable = fc.uint8Array({ maxLength: 300 }).map((bytes) => {
    const header = Buffer.alloc(8)
    header.writeUInt32LE(0x184d2a53, 0)
    header.writeUInt32LE(bytes.length, 4)
    return Buffer.concat([header, bytes])
  })
  return fc.oneof(compressed, skippable)
}
