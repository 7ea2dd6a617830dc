import { inflated } from './inflate.ts'
import type { ArchiveReader } from './reader.ts'
import { type Codecs, faultOf, type PackedBody, unpackedBody } from './unpacked.ts'

/** What Bun does natively. */
export const NATIVE_CODECS: Codecs = {
  crc32: (piece, before) => Bun.hash.crc32(piece, before),
  inflated,
  sha256() {
    const hasher = new Bun.CryptoHasher('sha256')
    return {
      update: (piece) => void hasher.update(piece),
      hex: () => hasher.digest('hex'),
    }
  },
}

/** The decompressed body of an entry, as `unpackedBody` gives it. @throws DamagedBody */
export function verifiedBody(
  reader: ArchiveReader,
  body: PackedBody,
  pieceBytes?: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  return unpackedBody(reader, body, NATIVE_CODECS, pieceBytes)
}

/**
 * Whether the body of an entry is the one that was packed.
 * @param unpacked called with each of its pieces
 */
export async function isIntact(
  reader: ArchiveReader,
  body: PackedBody,
  signal: AbortSignal,
  unpacked?: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<boolean> {
  const fault = await faultOf(reader, body, NATIVE_CODECS, (piece) => {
    signal.throwIfAborted()
    unpacked?.(piece)
  })
  return fault === null
}
