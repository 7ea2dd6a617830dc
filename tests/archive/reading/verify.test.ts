import { expect, test } from 'bun:test'
import { crc32, deflateRawSync } from 'node:zlib'
import type { ArchiveReader } from '../../../server/archive/reading/reader.ts'
import { DamagedBody, type PackedBody } from '../../../server/archive/reading/unpacked.ts'
import { isIntact, verifiedBody } from '../../../server/archive/reading/verify.ts'

const never = new AbortController().signal
const HEADER_BYTES = 50
const OFFSET = 70

/** An archive in memory, read in pieces of this length. */
function readerOf(bytes: Uint8Array<ArrayBuffer>, pieceBytes = 100_000): ArchiveReader {
  return {
    async *pieces(offset, lengthBytes) {
      for (let at = offset; at < offset + lengthBytes && at < bytes.length; at += pieceBytes)
        yield bytes.slice(at, Math.min(at + pieceBytes, offset + lengthBytes))
    },
  }
}

/** A body that compresses to about half. */
function contentOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 7919) % (16 + (index % 11)))
}

function packed(content: Uint8Array<ArrayBuffer>, method: 0 | 8) {
  const stored = method === 8 ? deflateRawSync(content) : content
  const archive = new Uint8Array(OFFSET + HEADER_BYTES + stored.length + 1000)
  archive.set(stored, OFFSET + HEADER_BYTES)
  const place = { offset: OFFSET, headerBytes: HEADER_BYTES, compressedBytes: stored.length }
  const body: PackedBody = { ...place, sizeBytes: content.length, crc32: crc32(content), method }
  return { archive, body }
}

/** Small and large bodies are inflated in different ways. */
const SIZES = [0, 1, 200, 300_000, 3_000_000]

for (const method of [0, 8] as const) {
  test.each(SIZES)(`a body of %d bytes is read back, method ${method}`, async (sizeBytes) => {
    const content = contentOf(sizeBytes)
    const { archive, body } = packed(content, method)
    const found = Buffer.concat(await Array.fromAsync(verifiedBody(readerOf(archive), body)))
    expect(Buffer.compare(found, content)).toBe(0)
    expect(await isIntact(readerOf(archive), body, never)).toBe(true)
  })

  test.each(SIZES.slice(1))(
    `a body of %d bytes is damaged when a bit differs, or its end can't be read, method ${method}`,
    async (sizeBytes) => {
      const { archive, body } = packed(contentOf(sizeBytes), method)
      const last = OFFSET + HEADER_BYTES + body.compressedBytes - 1
      expect(await isIntact(readerOf(archive.slice(0, last)), body, never)).toBe(false)
      const flipped = archive.slice()
      flipped[last - (body.compressedBytes >> 1)] = (flipped[last - (body.compressedBytes >> 1)] ?? 0) ^ 1
      expect(await isIntact(readerOf(flipped), body, never)).toBe(false)
      expect(await isIntact(readerOf(archive), { ...body, sizeBytes: sizeBytes - 1 }, never)).toBe(false)
      expect(await isIntact(readerOf(archive), { ...body, crc32: body.crc32 ^ 1 }, never)).toBe(false)
    },
  )

  test(`the last piece of a damaged body never comes, method ${method}`, async () => {
    const { archive, body } = packed(contentOf(3_000_000), method)
    let receivedBytes = 0
    const receive = async () => {
      for await (const piece of verifiedBody(readerOf(archive), { ...body, crc32: 0 }))
        receivedBytes += piece.length
    }
    await expect(receive()).rejects.toThrow(DamagedBody)
    expect(receivedBytes).toBeWithin(1, 3_000_000)
  })

  test(`an error of the reader is not called damage, method ${method}`, async () => {
    for (const sizeBytes of [200, 3_000_000]) {
      const { body } = packed(contentOf(sizeBytes), method)
      const broken: ArchiveReader = {
        async *pieces() {
          yield new Uint8Array(0)
          throw new Error('the store does not respond')
        },
      }
      await expect(isIntact(broken, body, never)).rejects.toThrow('the store does not respond')
    }
  })

  test(`an abort ends the reading, method ${method}`, async () => {
    const { archive, body } = packed(contentOf(3_000_000), method)
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(isIntact(readerOf(archive), body, stopped)).rejects.toThrow('stopped')
  })
}

test('bytes that inflate to far more than the body are damage, and are not held in memory', async () => {
  const bomb = deflateRawSync(new Uint8Array(200_000_000))
  const archive = new Uint8Array(OFFSET + HEADER_BYTES + bomb.length)
  archive.set(bomb, OFFSET + HEADER_BYTES)
  const place = { offset: OFFSET, headerBytes: HEADER_BYTES, compressedBytes: bomb.length }
  for (const sizeBytes of [1_000, 1_000_000]) {
    const body: PackedBody = { ...place, sizeBytes, crc32: 0, method: 8 }
    expect(await isIntact(readerOf(archive), body, never)).toBe(false)
  }
})
