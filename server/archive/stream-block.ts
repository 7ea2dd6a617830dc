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
 * @returns the bytes of the block, in pieces: the local header and the content of one entry after the other
 */
export function streamBlock(entries: readonly BlockEntry[]): Uint8Array[] {
  const block = new EntriesWorker(entries).pipe(new BlockWorker())
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

/** Streams its sources without headers and directory of JSZip's own. */
class BlockWorker extends ZipFileWorker {
  protected override openedSource(): void {}

  protected override closedSource(): void {}

  protected override flush(): void {}
}

/** Streams all entries of a block, as one source: JSZip makes a dozen objects for each source. */
class EntriesWorker extends GenericWorker {
  readonly #entries: readonly BlockEntry[]

  constructor(entries: readonly BlockEntry[]) {
    super('EntriesWorker')
    this.#entries = entries
  }

  override resume(): boolean {
    if (!super.resume()) return false
    for (const { localHeader, content } of this.#entries) {
      this.push({ data: localHeader, meta: WHOLE })
      if (content.length > 0) this.push({ data: content, meta: WHOLE })
    }
    return this.end()
  }
}

const WHOLE = { percent: 100 }
