import type { BodyMemory } from './body-memory.ts'

/**
 * The bytes of a body that comes in pieces, in one stretch of memory: a source that sends byte by byte costs no
 * more than one that sends at once, while a list of its pieces would cost a hundred times what they hold.
 */
export class GatheredBytes {
  readonly #memory: BodyMemory
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  #lengthBytes = 0

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  /** Whether the memory has room for so many bytes more of this body. A small one always finds it. */
  hasRoomFor(bytes: number): boolean {
    const neededBytes = this.#lengthBytes + bytes
    if (neededBytes <= ALWAYS_IN_MEMORY_BYTES) return true
    return this.#memory.hasRoomFor(this.#capacityFor(neededBytes) - this.#bytes.length)
  }

  /** Takes the piece over. Most small bodies are one piece, which needs no copy. */
  append(piece: Uint8Array<ArrayBuffer>): void {
    const lengthBytes = this.#lengthBytes + piece.length
    if (this.#lengthBytes === 0) {
      this.#hold(piece)
    } else {
      this.#makeRoom(lengthBytes)
      this.#bytes.set(piece, this.#lengthBytes)
      free(piece)
    }
    this.#lengthBytes = lengthBytes
  }

  /** Hands out all bytes and forgets them. A plain array: JSZip converts a Buffer slowly. */
  take(): Uint8Array<ArrayBuffer> {
    const isFilled = this.#lengthBytes === this.#bytes.length
    const bytes = isFilled ? this.#bytes : new Uint8Array(this.#bytes.buffer.transfer(this.#lengthBytes))
    this.#hold(new Uint8Array(0))
    this.#lengthBytes = 0
    return bytes
  }

  #makeRoom(neededBytes: number): void {
    if (neededBytes <= this.#bytes.length) return
    const larger = new Uint8Array(this.#capacityFor(neededBytes))
    larger.set(this.#bytes.subarray(0, this.#lengthBytes))
    free(this.#bytes)
    this.#hold(larger)
  }

  #capacityFor(neededBytes: number): number {
    if (neededBytes <= this.#bytes.length) return this.#bytes.length
    return Math.max(neededBytes, this.#bytes.length * GROWTH)
  }

  #hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.#memory.held(bytes.length - this.#bytes.length)
    this.#bytes = bytes
  }
}

/** Gives memory back at once: the collector would take its time. A part of a larger stretch is not ours alone. */
function free(bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0)
}

/** Doubling copies each byte twice at most. */
const GROWTH = 2

/** So small that the bound on connections is bound enough for those that come in; a file for each would cost more. */
const ALWAYS_IN_MEMORY_BYTES = 64 * 1024
