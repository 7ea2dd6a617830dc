import type { ArchiveFile, Space } from './archive-file.ts'
import type { CompressedBody } from './compress.ts'
import { localFileHeader, localHeaderBytes } from './format.ts'
import type { BlockEntry } from './stream-block.ts'

/** A small body in memory, compressed if that makes it smaller. */
export interface SmallBody extends CompressedBody {
  readonly name: string
  readonly modifiedAtMs: number
}

/** The location of a packed body in the archive file. */
export interface EntryPlace {
  readonly offset: number
  readonly headerBytes: number
}

/**
 * Packs a batch of small bodies with JSZip into one space of the archive file. The local headers are our own, since JSZip can't
 * reserve room in them. Its JavaScript CRC-32 and DEFLATE never run, because the bodies are already compressed.
 * @returns the place of each body, in the order given; the bytes are written, but not yet durable
 */
export async function packBlock(file: ArchiveFile, bodies: readonly SmallBody[]): Promise<EntryPlace[]> {
  const { streamBlock } = await loadStreamBlock()
  const entries = bodies.map(entryOf)
  const pieces = streamBlock(entries)
  const space = file.allocate(
    entries.reduce((sum, { localHeader, content }) => sum + localHeader.length + content.length, 0),
  )
  const places = placesOf(entries, pieces, space)
  file.writeAll(pieces, space.offset)
  return places
}

/** Loaded when first needed: loading JSZip takes as long as packing hundreds of bodies. */
let loading: Promise<typeof import('./stream-block.ts')> | null = null

function loadStreamBlock(): Promise<typeof import('./stream-block.ts')> {
  loading ??= import('./stream-block.ts')
  return loading
}

function entryOf({ name, method, crc32, sizeBytes, modifiedAtMs, content }: SmallBody): BlockEntry {
  const compressedBytes = content.length
  const headerBytes = localHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes)
  const localHeader = localFileHeader({
    name,
    method,
    crc32,
    compressedBytes,
    sizeBytes,
    modifiedAtMs,
    headerBytes,
  })
  return { localHeader, content }
}

/** Finds the entries among the pieces of a block. */
function placesOf(entries: readonly BlockEntry[], pieces: readonly Uint8Array[], space: Space): EntryPlace[] {
  const places: EntryPlace[] = []
  let { offset } = space
  for (const piece of pieces) {
    if (piece === entries[places.length]?.localHeader) places.push({ offset, headerBytes: piece.length })
    offset += piece.length
  }
  if (places.length !== entries.length || offset !== space.offset + space.lengthBytes)
    throw new Error('JSZip laid out a block in an unexpected way')
  return places
}
