import type { ArchiveFile } from '../archive/archive-file.ts'
import { packBlock, type SmallBody } from '../archive/block.ts'
import type { StoredEntry } from './checkpoint.ts'

/** A small body on its way into a block. */
export interface QueuedBody extends SmallBody {
  readonly position: number
}

/**
 * Gathers small bodies into blocks and packs one block after the other, while the next one gathers. Who adds
 * waits while too much is in memory: that holds back the sockets.
 */
export class BlockQueue implements Disposable {
  readonly #file: ArchiveFile
  readonly #jobsRunning: () => number
  readonly #onStored: (entry: StoredEntry) => void
  readonly #onError: (error: unknown) => void
  readonly #timer: ReturnType<typeof setInterval>
  #gathering: QueuedBody[] = []
  #gatheringBytes = 0
  #queuedBytes = 0
  #packing: Promise<void> = Promise.resolve()

  /** @param jobsRunning how many jobs share the memory for queued bodies */
  constructor(
    file: ArchiveFile,
    jobsRunning: () => number,
    onStored: (entry: StoredEntry) => void,
    onError: (error: unknown) => void,
  ) {
    this.#file = file
    this.#jobsRunning = jobsRunning
    this.#onStored = onStored
    this.#onError = onError
    this.#timer = setInterval(() => this.#pack(), GATHER_MS)
  }

  /** Takes a body over; resolves when there is room for another. */
  async add(body: QueuedBody): Promise<void> {
    this.#gathering.push(body)
    this.#gatheringBytes += body.content.length
    this.#queuedBytes += body.content.length
    if (this.#gathering.length >= BLOCK_ENTRIES || this.#gatheringBytes >= BLOCK_BYTES / this.#jobsRunning())
      this.#pack()
    while (this.#queuedBytes > QUEUE_BYTES / this.#jobsRunning()) {
      // The share may have shrunk below what is gathered: then nothing else would start it.
      this.#pack()
      await this.#packing
    }
  }

  /** Packs all that was added. */
  async drain(): Promise<void> {
    this.#pack()
    await this.#packing
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #pack(): void {
    if (this.#gathering.length === 0) return
    const bodies = this.#gathering
    const bytes = this.#gatheringBytes
    this.#gathering = []
    this.#gatheringBytes = 0
    this.#packing = this.#packing
      .then(() => this.#packOne(bodies))
      .catch(this.#onError)
      .finally(() => {
        this.#queuedBytes -= bytes
      })
  }

  async #packOne(bodies: readonly QueuedBody[]): Promise<void> {
    const places = await packBlock(this.#file, bodies)
    for (const [index, { content, ...body }] of bodies.entries()) {
      const place = places[index]
      if (place !== undefined)
        this.#onStored({ status: 'stored', ...body, ...place, compressedBytes: content.length })
    }
  }
}

/** JSZip's cost an entry is flat up to here. */
const BLOCK_ENTRIES = 64
const BLOCK_BYTES = 4 * 1024 * 1024

/** Bodies in memory that wait for their block, and those in it, of all jobs. */
const QUEUE_BYTES = 16 * 1024 * 1024

/** No body waits longer for company than this, so that the checkpoint can hold it. */
const GATHER_MS = 1000
