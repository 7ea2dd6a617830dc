import { releaseMemory } from '../bytes.ts'

/** Buffers small writes, since a system call costs more than the bytes of a small body. Adjacent writes become one call. */
export class WriteBuffer {
  #writes: BufferedWrite[] = []
  #lengthBytes = 0

  get isFull(): boolean {
    return this.#lengthBytes >= BUFFER_BYTES
  }

  /** Takes ownership of the bytes, whose memory `clear` frees. Writes between two calls of `clear` must not overlap. */
  add(bytes: Uint8Array, offset: number): void {
    this.#writes.push({ bytes, offset })
    this.#lengthBytes += bytes.length
  }

  /** All writes by offset, adjacent writes joined. */
  joined(): JoinedWrite[] {
    const sorted = this.#writes.toSorted((a, b) => a.offset - b.offset)
    const joined: JoinedWrite[] = []
    let endOffset = -1
    for (const { bytes, offset } of sorted) {
      if (offset === endOffset) joined.at(-1)?.chunks.push(bytes)
      else joined.push({ offset, chunks: [bytes] })
      endOffset = offset + bytes.length
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

interface BufferedWrite {
  readonly bytes: Uint8Array
  readonly offset: number
}

/** Chunks that follow each other in the file, from `offset` on. */
export interface JoinedWrite {
  readonly offset: number
  readonly chunks: Uint8Array[]
}

/** Enough small bodies to make the cost of a system call negligible; few enough to stay in the processor's cache. */
const BUFFER_BYTES = 1024 * 1024
