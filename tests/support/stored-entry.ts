import type { StoredEntry } from '../../server/engine/checkpoint/checkpoint.ts'

const HEADER_BYTES = 100

/** An entry of a checkpoint that takes `lengthBytes` of the archive from `offset` on, with its local header. */
export function storedEntryAt(position: number, offset: number, lengthBytes: number): StoredEntry {
  const bodyBytes = lengthBytes - HEADER_BYTES
  const facts = { name: `${position}`, modifiedAtMs: 0, crc32: 0, method: 0 } as const
  const sizes = { headerBytes: HEADER_BYTES, compressedBytes: bodyBytes, sizeBytes: bodyBytes }
  const origin = { etag: null, hasLastModified: false, finalUrlHash: null }
  const rest = { sha256: null, fetched: null, isReused: false, kept: null, warning: null }
  return { status: 'stored', position, offset, ...facts, ...sizes, ...origin, ...rest }
}
