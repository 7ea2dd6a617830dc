/**
 * Small writes on their way to the file. Each call to the system costs more than the bytes of a small body, so
 * they wait for each other; what lies side by side in the file goes there in one call.
 */
export class GatheredWrites {
  #writes: Write[] = []
  #lengthBytes = 0

  get isFull(): boolean {
    return this.#lengthBytes >= GATHER_BYTES
  }

  /** Takes the bytes over. No two writes between two calls of `clear` may touch the same byte. */
  add(bytes: Uint8Array, position: number): void {
    this.#writes.push({ bytes, position })
    this.#lengthBytes += bytes.length
  }

  /** All writes by position, neighbours joined. */
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

  clear(): void {
    this.#writes = []
    this.#lengthBytes = 0
  }
}

interface Write {
  readonly bytes: Uint8Array
  readonly position: number
}

/** Chunks that lie one behind the other from `position` on. */
export interface JoinedWrite {
  readonly position: number
  readonly chunks: Uint8Array[]
}

/** So many small bodies that a call costs nothing beside them; few enough to stay in the processor's cache. */
const GATHER_BYTES = 1024 * 1024
