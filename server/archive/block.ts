import type { ArchiveFile } from './archive-file.ts'
import type { CompressedBody } from './compress.ts'
import { localFileHeader, localHeaderBytes } from './format.ts'
import type { BlockDraft } from './run-jszip.ts'

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
 * Packs a batch of small bodies with JSZip into one space of the archive file.
 *
 * JSZip keys entries by name, reorders numeric names and adds folder entries. It is therefore given unique ASCII
 * placeholders, each as long as the real name with its reserved room, and the real headers then overwrite them in its
 * output. The offsets of the entries are read from the directory that JSZip wrote for the block. JSZip's JavaScript
 * CRC-32 and DEFLATE never run, because the bodies are already compressed.
 *
 * @returns the place of each body, in the order given; the bytes are written, but not yet durable
 */
export async function packBlock(file: ArchiveFile, bodies: readonly SmallBody[]): Promise<EntryPlace[]> {
  const drafts = bodies.map(draftEntry)
  const lengthBytes = drafts.reduce((sum, draft) => sum + draft.headerBytes + draft.body.content.length, 0)
  // Loaded when first needed: loading JSZip takes as long as packing hundreds of bodies.
  const { runJSZip } = await import('./run-jszip.ts')
  const output = await runJSZip(drafts, lengthBytes)
  const offsets = readOffsets(output.directory)
  const space = file.allocate(lengthBytes)

  const places = drafts.map((draft): EntryPlace => {
    const offset = offsets.get(draft.placeholder)
    const header = offset === undefined ? undefined : output.chunks.get(offset)
    if (offset === undefined || header?.length !== draft.headerBytes) {
      throw new Error('JSZip laid out a block in an unexpected way')
    }
    const { body, headerBytes } = draft
    const place = { offset: space.offset + offset, headerBytes }
    header.set(
      localFileHeader({
        name: body.name,
        method: body.method,
        crc32: body.crc32,
        compressedBytes: body.content.length,
        sizeBytes: body.sizeBytes,
        modifiedAtMs: body.modifiedAtMs,
        offset: place.offset,
        headerBytes,
      }),
    )
    return place
  })
  file.writeAll([...output.chunks.values()], space.offset)
  return places
}

interface DraftEntry extends BlockDraft {
  readonly body: SmallBody
  readonly headerBytes: number
}

function draftEntry(body: SmallBody, index: number): DraftEntry {
  const headerBytes = localHeaderBytes(Buffer.byteLength(body.name), body.content.length, body.sizeBytes)
  // A key that starts with a letter is not an array index, so JSZip's object keeps the order of insertion.
  const placeholder = `e${String(index).padStart(headerBytes - JSZIP_HEADER_BYTES - 1, '0')}`
  return { body, placeholder, headerBytes }
}

/** Maps the name of each entry to the offset of its local header, from the central directory (APPNOTE 4.3.12). */
function readOffsets(directory: Uint8Array): Map<string, number> {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.length)
  const offsets = new Map<string, number>()
  let at = 0
  while (view.getUint32(at, true) === 0x02014b50) {
    const nameBytes = view.getUint16(at + 28, true)
    const restBytes = view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    const name = decoder.decode(directory.subarray(at + 46, at + 46 + nameBytes))
    offsets.set(name, view.getUint32(at + 42, true))
    at += 46 + nameBytes + restBytes
  }
  return offsets
}

/** JSZip's local header of an ASCII name has no extra field. */
const JSZIP_HEADER_BYTES = 30
const decoder = new TextDecoder('latin1')
