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
 * JSZip can't reserve room in a local header. It is therefore given ASCII placeholders, each as long as the real name with its
 * reserved room, and the real headers then take the place of its own. JSZip's JavaScript CRC-32 and DEFLATE never run, because
 * the bodies are already compressed.
 *
 * @returns the place of each body, in the order given; the bytes are written, but not yet durable
 */
export async function packBlock(file: ArchiveFile, bodies: readonly SmallBody[]): Promise<EntryPlace[]> {
  const drafts = bodies.map(draftEntry)
  const lengthBytes = drafts.reduce((sum, draft) => sum + draft.headerBytes + draft.body.content.length, 0)
  // Loaded when first needed: loading JSZip takes as long as packing hundreds of bodies.
  const { runJSZip } = await import('./run-jszip.ts')
  const entries = runJSZip(drafts)
  const space = file.allocate(lengthBytes)

  const pieces: Uint8Array[] = []
  const places = drafts.map(({ body, placeholder, headerBytes }, index): EntryPlace => {
    const entry = entries[index]
    if (entry?.placeholder !== placeholder || entry.headerBytes !== headerBytes)
      throw new Error('JSZip laid out a block in an unexpected way')
    const place = { offset: space.offset + entry.offset, headerBytes }
    const header = localFileHeader({
      name: body.name,
      method: body.method,
      crc32: body.crc32,
      compressedBytes: body.content.length,
      sizeBytes: body.sizeBytes,
      modifiedAtMs: body.modifiedAtMs,
      offset: place.offset,
      headerBytes,
    })
    pieces.push(header, ...entry.content)
    return place
  })
  file.writeAll(pieces, space.offset)
  return places
}

interface DraftEntry extends BlockDraft {
  readonly body: SmallBody
  readonly headerBytes: number
}

function draftEntry(body: SmallBody, index: number): DraftEntry {
  const headerBytes = localHeaderBytes(Buffer.byteLength(body.name), body.content.length, body.sizeBytes)
  const placeholder = String(index).padStart(headerBytes - JSZIP_HEADER_BYTES, '0')
  return { body, placeholder, headerBytes }
}

/** JSZip's local header of an ASCII name has no extra field. */
const JSZIP_HEADER_BYTES = 30
