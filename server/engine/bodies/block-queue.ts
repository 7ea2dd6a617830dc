import type { BlockFile, SmallBody } from '../../archive/block.ts'
import { releaseMemory } from '../../bytes.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'

/** A small body that waits to be packed. Its entry gets its offset then. */
export interface QueuedBody extends SmallBody {
  readonly entry: Omit<StoredEntry, 'offset'>
}

/**
 * Collects small bodies into blocks. Packs one block at a time, while the next one is being collected. `add` waits while too
 * many bytes are in memory, which creates backpressure on the sockets.
 */
export class BlockQueue implements Disposable {
  readonly #file: BlockFile
  readonly #jobsRunning: () => number
  readonly #onStored: (entry: StoredEntry) => void
  readonly #onError: (error: unknown) => void
  readonly #timer: ReturnType<typeof setInterval>
  /** Set with the first body. */
  #firstTimer: ReturnType<typeof setTimeout> | null = null
  #pending: QueuedBody[] = []
  #pendingBytes = 0
  #queuedBytes = 0
  #packing: Promise<void> = Promise.resolve()
  /** Loaded with the first block: it loads JSZip, which a job without small bodies never needs. */
  #packer: Promise<typeof import('../../archive/block.ts')> | null = null

  /** @param jobsRunning how many jobs share the memory for queued bodies */
  constructor(
    file: BlockFile,
    jobsRunning: () => number,
    onStored: (entry: StoredEntry) => void,
    onError: (error: unknown) => void,
  ) {
    this.#file = file
    this.#jobsRunning = jobsRunning
    this.#onStored = onStored
    this.#onError = onError
    this.#timer = setInterval(() => this.#pack(), MAX_WAIT_MS)
  }

  /** Takes ownership of a body. Resolves when there is memory for the next body. */
  async add(body: QueuedBody): Promise<void> {
    const memoryBytes = body.content.length + BODY_OBJECTS_BYTES
    this.#pending.push(body)
    this.#pendingBytes += memoryBytes
    this.#queuedBytes += memoryBytes
    this.#firstTimer ??= setTimeout(() => this.#pack(), FIRST_WAIT_MS)
    if (this.#pending.length >= BLOCK_ENTRIES || this.#pendingBytes >= BLOCK_BYTES / this.#jobsRunning())
      this.#pack()
    while (this.#isFull()) {
      // The job's share of memory may have shrunk below the pending bytes: then nothing else would pack them.
      this.#pack()
      await this.#packing
    }
  }

  /** Packs all bodies that were added. */
  async drain(): Promise<void> {
    this.#pack()
    await this.#packing
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    if (this.#firstTimer !== null) clearTimeout(this.#firstTimer)
  }

  #isFull(): boolean {
    return this.#queuedBytes > QUEUE_BYTES / this.#jobsRunning()
  }

  #pack(): void {
    if (this.#pending.length === 0) return
    // In URL order, so that the first bytes of the archive are settled as soon as possible.
    const bodies = this.#pending.sort((a, b) => a.entry.position - b.entry.position)
    const bytes = this.#pendingBytes
    this.#pending = []
    this.#pendingBytes = 0
    this.#packing = this.#packing
      .then(() => this.#packOne(bodies))
      .catch(this.#onError)
      .finally(() => {
        this.#queuedBytes -= bytes
      })
  }

  async #packOne(bodies: readonly QueuedBody[]): Promise<void> {
    this.#packer ??= import('../../archive/block.ts')
    const { packBlock } = await this.#packer
    const offsets = packBlock(this.#file, bodies)
    bodies.forEach(({ entry, content }, index) => {
      this.#onStored({ ...entry, offset: offsets[index] ?? 0 })
      releaseMemory(content)
    })
  }
}

/** Up to this block size, JSZip's cost per entry is constant. */
const BLOCK_ENTRIES = 64
const BLOCK_BYTES = 2 * 1024 * 1024

/**
 * Memory for the pending bodies of all jobs, and for those being packed: enough for two blocks. While long texts are compressed,
 * the queue is always full, and 16 MiB made no job faster.
 */
const QUEUE_BYTES = 4 * 1024 * 1024

/** Approximate memory of the JavaScript objects of a body: thousands of tiny bodies may wait. */
const BODY_OBJECTS_BYTES = 2 * 1024

/** Somebody may wait for the first bytes of the archive. */
const FIRST_WAIT_MS = 50

/** No body waits longer than this for its block to fill, so that a checkpoint can soon record it. */
const MAX_WAIT_MS = 1000
