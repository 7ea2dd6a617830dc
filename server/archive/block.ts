import type { ArchiveFile } from './file.ts'
import { type LocalHeaderFields, writeLocalFileHeader } from './format.ts'
import { RecordWriter } from './record-writer.ts'

/** A small body in memory, as it is stored, and its entry. */
export interface SmallBody {
  readonly entry: LocalHeaderFields
  readonly content: Uint8Array<ArrayBuffer>
}

/**
 * Packs a batch of small bodies with JSZip into one space of the archive file. The local headers are our own, since JSZip can't
 * reserve room in them. Its JavaScript CRC-32 and DEFLATE never run, because the bodies are already compressed.
 * @returns the offset of each body's local header, in the order given; the bytes are written, but not yet durable
 */
export async function packBlock(file: ArchiveFile, bodies: readonly SmallBody[]): Promise<number[]> {
  const { streamBlock } = await loadStreamBlock()
  const lengthBytes = bodies.reduce((sum, { entry, content }) => sum + entry.headerBytes + content.length, 0)
  const space = file.allocate(lengthBytes)
  const pieces = piecesOf(bodies)
  const streamed = streamBlock(pieces)
  if (!areSame(streamed, pieces) || totalBytes(streamed) !== lengthBytes)
    throw new Error('JSZip laid out a block in an unexpected way')
  file.writeAll(streamed, space.offset)
  return offsetsOf(bodies, space.offset)
}

/** Loaded when first needed: loading JSZip takes as long as packing hundreds of bodies. */
let loading: Promise<typeof import('./stream-block.ts')> | null = null

function loadStreamBlock(): Promise<typeof import('./stream-block.ts')> {
  loading ??= import('./stream-block.ts')
  return loading
}

/**
 * The bytes of a block: each body behind its header. Valid until the next block: headers and tiny bodies are copied to one
 * buffer, since a piece for each takes longer, and leaves ten objects to the garbage collector.
 */
function piecesOf(bodies: readonly SmallBody[]): Uint8Array[] {
  const records = recordsFor(bodies)
  const pieces: Uint8Array[] = []
  let startBytes = 0
  for (const { entry, content } of bodies) {
    records.next(entry.headerBytes)
    writeLocalFileHeader(records, entry)
    if (isTiny(content)) {
      records.bytes(content)
    } else {
      pieces.push(records.writtenFrom(startBytes), content)
      startBytes = records.writtenBytes
    }
  }
  if (records.writtenBytes > startBytes) pieces.push(records.writtenFrom(startBytes))
  return pieces
}

function areSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((piece, index) => piece === others[index])
}

function totalBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function offsetsOf(bodies: readonly SmallBody[], start: number): number[] {
  let offset = start
  return bodies.map(({ entry, content }) => {
    const own = offset
    offset += entry.headerBytes + content.length
    return own
  })
}

/** An empty writer with room for all headers and tiny bodies. */
function recordsFor(bodies: readonly SmallBody[]): RecordWriter {
  const neededBytes = bodies.reduce(
    (sum, { entry, content }) => sum + entry.headerBytes + (isTiny(content) ? content.length : 0),
    0,
  )
  if (neededBytes > SHARED_BYTES) return new RecordWriter(neededBytes)
  sharedRecords ??= new RecordWriter(SHARED_BYTES)
  sharedRecords.begin(0)
  return sharedRecords
}

function isTiny(content: Uint8Array): boolean {
  return content.length <= TINY_BYTES
}

/** To copy more takes longer than to write a piece of its own. */
const TINY_BYTES = 1024

/** Enough for 64 tiny bodies with names of usual lengths. */
const SHARED_BYTES = 96 * 1024

/** Kept from block to block: a block is written before the next one is laid out. */
let sharedRecords: RecordWriter | null = null
