// server/decisions/packing.md says what JSZip does here, and what it costs.

import ZipFileWorker from 'jszip/lib/generate/ZipFileWorker'
import GenericWorker from 'jszip/lib/stream/GenericWorker'
import type { ArchiveFile } from './file.ts'
import { type EntryFields, localFileHeader } from './format.ts'

/** A small body in memory, as it is stored, and its entry. */
export interface SmallBody {
  readonly entry: Omit<EntryFields, 'offset'>
  readonly content: Uint8Array<ArrayBuffer>
}

/** What a block uses of the archive file. */
export type BlockFile = Pick<ArchiveFile, 'allocate' | 'writeAll'>

/**
 * Packs a batch of small bodies into one space of the archive file. JSZip streams the pieces of the block, and hands back the same
 * ones. It does no more because its CRC-32 and DEFLATE are slow JavaScript, and because it can neither write ZIP64 nor reserve room
 * in a local header: headers, checksums and compression are ours.
 *
 * Loading this file loads JSZip, which costs 30 ms and more.
 * @returns the offset of each body's local header, in the order given; the bytes are written, but not yet durable
 */
export function packBlock(file: BlockFile, bodies: readonly SmallBody[]): number[] {
  const lengthBytes = blockBytes(bodies)
  const space = file.allocate(lengthBytes)
  let offset = space.offset
  const offsets = bodies.map(({ entry, content }) => {
    const own = offset
    offset += entry.headerBytes + content.length
    return own
  })
  const pieces = bodies.flatMap(({ entry, content }, index) => {
    return [localFileHeader({ ...entry, offset: offsets[index] ?? 0 }), content]
  })
  const streamed = streamedByJsZip(pieces)
  // One byte too many would overwrite the next entry.
  if (streamed.reduce((sum, { length }) => sum + length, 0) !== lengthBytes)
    throw new Error('JSZip laid out a block in an unexpected way')
  file.writeAll(streamed, space.offset)
  return offsets
}

/** The length of the block of these bodies, with their local headers. */
function blockBytes(bodies: readonly SmallBody[]): number {
  return bodies.reduce((sum, { entry, content }) => sum + entry.headerBytes + content.length, 0)
}

/**
 * Streams pieces with the part of JSZip that streams archives. `generateInternalStream` would give each body turns of the event
 * loop, one per 16 KiB and one for the end: more time than the packing itself needs.
 */
function streamedByJsZip(pieces: readonly Uint8Array[]): Uint8Array[] {
  const block = new PiecesWorker(pieces).pipe(new BlockWorker())
  const streamed: Uint8Array[] = []
  let failure: unknown = null
  block.on('data', ({ data }) => streamed.push(data))
  block.on('error', (error) => {
    failure = error
  })
  block.resume()
  if (failure !== null) throw failure
  return streamed
}

/** Streams its source without headers and directory of JSZip's own. */
class BlockWorker extends ZipFileWorker {
  protected override openedSource(): void {}

  protected override closedSource(): void {}

  protected override flush(): void {}
}

/** Streams all pieces of a block, as one source: JSZip makes a dozen objects for each source. */
class PiecesWorker extends GenericWorker {
  readonly #pieces: readonly Uint8Array[]

  constructor(pieces: readonly Uint8Array[]) {
    super('PiecesWorker')
    this.#pieces = pieces
  }

  override resume(): boolean {
    if (!super.resume()) return false
    for (const data of this.#pieces) this.push({ data, meta: { percent: 100 } })
    return this.end()
  }
}
