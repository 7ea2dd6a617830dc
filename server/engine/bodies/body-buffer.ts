import { releaseMemory } from '../../bytes.ts'
import type { MemoryBudget } from '../limits/memory.ts'

/**
 * Collects the pieces of a body in one contiguous array, so that a source that sends byte by byte takes no extra memory: a
 * list of pieces would take a hundred times the memory of their bytes.
 */
export class BodyBuffer {
  readonly #memory: Pick<MemoryBudget, 'hasRoomFor' | 'changeHeld'>
  #bytes = NO_BYTES
  #lengthBytes = 0
  /** Length of the array as counted in the budget. That of the array itself is 0 once its memory was released or taken. */
  #heldBytes = 0

  constructor(memory: Pick<MemoryBudget, 'hasRoomFor' | 'changeHeld'>) {
    this.#memory = memory
  }

  /** Whether there is memory for this many more bytes of the body. Always true for a small body. */
  hasRoomFor(bytes: number): boolean {
    const neededBytes = this.#lengthBytes + bytes
    if (neededBytes <= ALWAYS_IN_MEMORY_BYTES) return true
    return this.#memory.hasRoomFor(this.#capacityFor(neededBytes) - this.#bytes.length)
  }

  /** Takes ownership of the piece. Most small bodies are one piece, which is not copied. */
  append(piece: Uint8Array<ArrayBuffer>): void {
    const lengthBytes = this.#lengthBytes + piece.length
    if (this.#lengthBytes === 0) {
      this.#hold(piece)
    } else {
      this.#grow(lengthBytes)
      this.#bytes.set(piece, this.#lengthBytes)
      releaseMemory(piece)
    }
    this.#lengthBytes = lengthBytes
  }

  /** Returns all bytes and empties the buffer. A plain array: JSZip converts a Buffer slowly. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#filled()
    this.#hold(NO_BYTES)
    this.#lengthBytes = 0
    return bytes
  }

  #filled(): Uint8Array<ArrayBuffer> {
    if (this.#lengthBytes === 0) return new Uint8Array(0)
    if (this.#lengthBytes === this.#bytes.length) return this.#bytes
    return new Uint8Array(this.#bytes.buffer.transfer(this.#lengthBytes))
  }

  #grow(neededBytes: number): void {
    if (neededBytes <= this.#bytes.length) return
    const larger = new Uint8Array(this.#capacityFor(neededBytes))
    larger.set(this.#bytes.subarray(0, this.#lengthBytes))
    releaseMemory(this.#bytes)
    this.#hold(larger)
  }

  #capacityFor(neededBytes: number): number {
    if (neededBytes <= this.#bytes.length) return this.#bytes.length
    return Math.max(neededBytes, this.#bytes.length * GROWTH)
  }

  #hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.#memory.changeHeld(bytes.length - this.#heldBytes)
    this.#heldBytes = bytes.length
    this.#bytes = bytes
  }
}

/** Never handed out: whoever takes bytes may release their memory. */
const NO_BYTES = new Uint8Array(0)

/** Doubling copies each byte at most twice. */
const GROWTH = 2

/** The limit on connections bounds small incoming bodies well enough; a spool file for each would cost more. */
const ALWAYS_IN_MEMORY_BYTES = 64 * 1024
