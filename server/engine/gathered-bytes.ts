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

  /** Takes the piece over. Most small bodies are one piece, which needs no copy. */
  append(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#lengthBytes === 0) {
      this.#hold(piece)
    } else {
      this.#makeRoom(this.#lengthBytes + piece.length)
      this.#bytes.set(piece, this.#lengthBytes)
    }
    this.#lengthBytes += piece.length
  }

  /** Hands out all bytes and forgets them. A plain array: JSZip converts a Buffer slowly. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.subarray(0, this.#lengthBytes)
    this.#hold(new Uint8Array(0))
    this.#lengthBytes = 0
    return bytes
  }

  #makeRoom(neededBytes: number): void {
    if (neededBytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(neededBytes, this.#bytes.length * GROWTH))
    larger.set(this.#bytes.subarray(0, this.#lengthBytes))
    this.#hold(larger)
    this.#memory.copied(larger.length)
  }

  #hold(bytes: Uint8Array<ArrayBuffer>): void {
    this.#memory.held(bytes.length - this.#bytes.length)
    this.#bytes = bytes
  }
}

/** Doubling copies each byte twice at most. */
const GROWTH = 2
