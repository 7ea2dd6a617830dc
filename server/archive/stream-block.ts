import ZipFileWorker from 'jszip/lib/generate/ZipFileWorker'
import GenericWorker from 'jszip/lib/stream/GenericWorker'

/** An entry of a block. */
export interface BlockEntry {
  readonly localHeader: Uint8Array
  /** The body as it is stored; may be empty. */
  readonly content: Uint8Array
}

/**
 * Streams a block with the part of JSZip that streams archives. `generateInternalStream` would give each body turns of the event
 * loop, one per 16 KiB and one for the end, which takes longer than the packing.
 * @returns the bytes of the block, in pieces
 */
export function streamBlock(entries: readonly BlockEntry[]): Uint8Array[] {
  const block = new BlockWorker()
  for (const entry of entries) new EntryWorker(entry).pipe(block)
  const pieces: Uint8Array[] = []
  let failure: unknown = null
  block.on('data', ({ data }) => pieces.push(data))
  block.on('error', (error) => {
    failure = error
  })
  block.resume()
  if (failure !== null) throw failure
  return pieces
}

/** Streams entries one after the other, with their own local headers in place of JSZip's, and without a directory. */
class BlockWorker extends ZipFileWorker {
  protected override openedSource({ localHeader }: Pick<BlockEntry, 'localHeader'>): void {
    this.push({ data: localHeader, meta: WHOLE })
  }

  protected override closedSource(): void {}

  protected override flush(): void {}
}

/** Streams a content in one chunk, as soon as JSZip comes to it. */
class EntryWorker extends GenericWorker {
  readonly #content: Uint8Array

  constructor({ localHeader, content }: BlockEntry) {
    super('EntryWorker')
    this.streamInfo = { localHeader }
    this.#content = content
  }

  override resume(): boolean {
    if (!super.resume()) return false
    if (this.#content.length > 0) this.push({ data: this.#content, meta: WHOLE })
    return this.end()
  }
}

const WHOLE = { percent: 100 }
