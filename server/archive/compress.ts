import { releaseMemory } from '../bytes.ts'

/** A body in memory as it will be stored in the archive. */
export interface CompressedBody {
  readonly content: Uint8Array<ArrayBuffer>
  readonly method: 0 | 8
  readonly crc32: number
  readonly sizeBytes: number
}

/**
 * Compresses a body of a text-like type with DEFLATE if that makes it smaller; stores all other bodies unchanged. Takes
 * ownership of the bytes.
 */
export function compressBody(bytes: Uint8Array<ArrayBuffer>, isTextLike: boolean): CompressedBody {
  const crc32 = Bun.hash.crc32(bytes)
  const sizeBytes = bytes.length
  if (isTextLike && sizeBytes >= WORTH_DEFLATING_BYTES) {
    const content = Bun.deflateSync(bytes, { library: 'libdeflate', level: DEFLATE_LEVEL })
    if (content.length < sizeBytes) {
      releaseMemory(bytes)
      return { content, method: 8, crc32, sizeBytes }
    }
  }
  return { content: bytes, method: 0, crc32, sizeBytes }
}

/** Each call costs 9 to 16 microseconds. With fewer bytes, the rest of packing an entry costs less than that. */
const WORTH_DEFLATING_BYTES = 512

/** The default level of most ZIP programs; libdeflate is as fast at it as zlib at level 4. */
export const DEFLATE_LEVEL = 6
