import ZipFileWorker from 'jszip/lib/generate/ZipFileWorker'
import GenericWorker from 'jszip/lib/stream/GenericWorker'
import type { CompressedBody } from './compress.ts'

/** A body, and the ASCII name under which JSZip packs it. */
export interface BlockDraft {
  readonly body: CompressedBody
  readonly placeholder: string
}

/** A local header and the content that follows it, as JSZip laid them out. */
export interface BlockEntry {
  readonly placeholder: string
  /** Offset of the local header in the block. */
  readonly offset: number
  readonly headerBytes: number
  /** In one piece; none if it is empty. */
  readonly content: readonly Uint8Array[]
}

/**
 * Packs a block with the part of JSZip that streams archives. `generateInternalStream` would give each body turns of the event
 * loop, one per 16 KiB and one for the end, and would turn each header into an array. Both take longer than the packing.
 * @returns the entries in the order in which JSZip streamed them
 */
export function runJSZip(drafts: readonly BlockDraft[]): BlockEntry[] {
  const zip = new ZipFileWorker(false, '', 'DOS', (ascii) => ascii)
  const date = new Date()
  for (const draft of drafts) new BodyWorker(draft, date).pipe(zip)
  const entries: BlockEntry[] = []
  let content: Uint8Array[] = []
  let offset = 0
  let failure: unknown = null
  zip.on('data', ({ data, meta: { currentFile } }) => {
    // The directory of the block, which belongs to no file, comes last.
    if (currentFile === null) return
    if (typeof data === 'string') {
      content = []
      entries.push({ placeholder: currentFile, offset, headerBytes: data.length, content })
    } else {
      content.push(data)
    }
    offset += data.length
  })
  zip.on('error', (error) => {
    failure = error
  })
  zip.resume()
  if (failure !== null) throw failure
  return entries
}

/** Streams a body to JSZip in one chunk, as soon as JSZip comes to it. */
class BodyWorker extends GenericWorker {
  readonly #content: Uint8Array

  constructor({ body, placeholder }: BlockDraft, date: Date) {
    super('BodyWorker')
    this.#content = body.content
    this.streamInfo = {
      compressedSize: body.content.length,
      uncompressedSize: body.sizeBytes,
      crc32: body.crc32,
      compression: body.method === 8 ? DEFLATE : STORE,
      file: { name: placeholder, dir: false, date, comment: '' },
    }
  }

  override resume(): boolean {
    if (!super.resume()) return false
    if (this.#content.length > 0) this.push({ data: this.#content, meta: { percent: 100 } })
    return this.end()
  }
}

/** As in `jszip/lib/compressions`, which would also load a DEFLATE in JavaScript. */
const STORE = { magic: '\0\0' }
const DEFLATE = { magic: '\b\0' }
