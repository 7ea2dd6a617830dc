import ZipFileWorker from 'jszip/lib/generate/ZipFileWorker'
import GenericWorker from 'jszip/lib/stream/GenericWorker'

/**
 * Streams a block with the part of JSZip that streams archives. `generateInternalStream` would give each body turns of the event
 * loop, one per 16 KiB and one for the end, which takes longer than the packing.
 * @param pieces the local headers and contents of its entries, one after the other
 * @returns the bytes of the block, in pieces
 */
export function streamBlock(pieces: readonly Uint8Array[]): Uint8Array[] {
  const block = new EntriesWorker(pieces).pipe(new BlockWorker())
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

/** Streams its sources without headers and directory of JSZip's own. */
class BlockWorker extends ZipFileWorker {
  protected override openedSource(): void {}

  protected override closedSource(): void {}

  protected override flush(): void {}
}

/** Streams all entries of a block, as one source: JSZip makes a dozen objects for each source. */
class EntriesWorker extends GenericWorker {
  readonly #pieces: readonly Uint8Array[]

  constructor(pieces: readonly Uint8Array[]) {
    super('EntriesWorker')
    this.#pieces = pieces
  }

  override resume(): boolean {
    if (!super.resume()) return false
    for (const data of this.#pieces) this.push({ data, meta: WHOLE })
    return this.end()
  }
}

const WHOLE = { percent: 100 }
