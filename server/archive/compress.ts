import { crc32 } from 'node:zlib'

/** A body in memory as it will lie in the archive. */
export interface CompressedBody {
  readonly content: Uint8Array
  readonly method: 0 | 8
  readonly crc32: number
  readonly sizeBytes: number
}

/** Deflates a body of a text-like type if that makes it smaller, and stores every other. */
export function compressBody(bytes: Uint8Array<ArrayBuffer>, isTextLike: boolean): CompressedBody {
  const shared = { crc32: crc32(bytes), sizeBytes: bytes.length }
  if (isTextLike && bytes.length >= WORTH_DEFLATING_BYTES) {
    const content = Bun.deflateSync(bytes, { library: 'libdeflate', level: DEFLATE_LEVEL })
    if (content.length < bytes.length) return { ...shared, content, method: 8 }
  }
  return { ...shared, content: bytes, method: 0 }
}

/** Below this, DEFLATE saves no more than the cost of its own block header. */
const WORTH_DEFLATING_BYTES = 64

/** What zip and most readers call normal; libdeflate does it at the speed of zlib's level 4. */
export const DEFLATE_LEVEL = 6
