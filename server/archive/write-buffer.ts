import { releaseMemory } from './release-memory.ts'

/** Buffers small writes, since a system call costs more than the bytes of a small body. Adjacent writes become one call. */
export class WriteBuffer {
  #writes: Write[] = []
  #lengthBytes = 0

  get isFull(): boolean {
    return this.#lengthBytes >= BUFFER_BYTES
  }

  /** Takes ownership of the bytes, whose memory `clear` frees. Writes between two calls of `clear` must not overlap. */
  add(bytes: Uint8Array, position: number): void {
    this.#writes.push({ bytes, position })
    this.#lengthBytes += bytes.length
  }

  /** All writes by position, adjacent writes joined. */
  joined(): JoinedWrite[] {
    const sorted = this.#writes.toSorted((a, b) => a.position - b.position)
    const joined: JoinedWrite[] = []
    let endOffset = -1
    for (const { bytes, position } of sorted) {
      if (position === endOffset) joined.at(-1)?.chunks.push(bytes)
      else joined.push({ position, chunks: [bytes] })
      endOffset = position + bytes.length
    }
    return joined
  }

  /** Empties the buffer and frees its memory. Call it when all writes have been written to the file. */
  clear(): void {
    for (const { bytes } of this.#writes) releaseMemory(bytes)
    this.#writes = []
    this.#lengthBytes = 0
  }
}

interface Write {
  readonly bytes: Uint8Array
  readonly position: number
}

/** Chunks that follow each other in the file, from `position` on. */
export interface JoinedWrite {
  readonly position: number
  readonly chunks: Uint8Array[]
}

/** Enough small bodies to make the cost of a system call negligible; few enough to stay in the processor's cache. */
const BUFFER_BYTES = 1024 * 1024
