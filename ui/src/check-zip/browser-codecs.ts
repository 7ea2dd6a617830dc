import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import {
  type Codecs,
  DamagedBody,
  InvalidDeflate,
  type Pieces,
} from '../../../server/archive/reading/unpacked.ts'
import { crc32 } from './crc32.ts'

/** What browsers have: DEFLATE as a stream, and no digest or CRC-32 in pieces. */
export const BROWSER_CODECS: Codecs = {
  crc32,
  inflated,
  sha256() {
    const hasher = sha256.create()
    return {
      update: (piece) => void hasher.update(piece),
      hex: () => bytesToHex(hasher.digest()),
    }
  },
}

async function* inflated(stored: Pieces): Pieces {
  const stream = new DecompressionStream('deflate-raw')
  let failure: unknown = null
  const fed = feed(stored, stream.writable).catch((error: unknown) => {
    failure ??= error
  })
  const reader = stream.readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield new Uint8Array(value)
    }
    // Bytes after the end of the DEFLATE data fail here.
    await fed
    if (failure !== null) throw failure
  } catch (error) {
    const cause = failure instanceof DamagedBody ? failure : error
    throw cause instanceof TypeError ? new InvalidDeflate('the body is not valid DEFLATE') : cause
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function feed(stored: Pieces, writable: WritableStream<BufferSource>): Promise<void> {
  const writer = writable.getWriter()
  try {
    for await (const piece of stored) await writer.write(piece)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
}
