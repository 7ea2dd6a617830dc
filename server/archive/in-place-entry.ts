import type { ArchiveFile, Space } from './file.ts'
import { localFileHeader, localHeaderBytes } from './format.ts'

/** The facts about a body that are known when its response begins or when it is resumed. */
export interface DeclaredBody {
  readonly name: string
  /** Declared length: the body must end exactly there. */
  readonly declaredBytes: number
  readonly modifiedAtMs: number
}

/**
 * A stored entry of known length. Its space is allocated when its response begins, and its bytes are written straight to
 * their final place, for several entries at once. Its local header is written when the body is whole.
 */
export class InPlaceEntry {
  readonly body: DeclaredBody
  readonly space: Space
  readonly headerBytes: number
  readonly #file: ArchiveFile
  #receivedBytes = 0
  #crc32 = 0

  /** Allocates the space of the body. This does not extend the file. */
  static begin(file: ArchiveFile, body: DeclaredBody): InPlaceEntry {
    const headerBytes = localHeaderBytes(Buffer.byteLength(body.name), body.declaredBytes, body.declaredBytes)
    return new InPlaceEntry(file, body, file.allocate(headerBytes + body.declaredBytes), headerBytes)
  }

  /**
   * Resumes an entry from a checkpoint. Reads its bytes back, since the file may have changed after the row was written.
   * @returns null when they don't have the CRC-32 of the checkpoint
   */
  static async resume(
    file: ArchiveFile,
    body: DeclaredBody,
    part: DurablePart,
  ): Promise<InPlaceEntry | null> {
    const lengthBytes = part.headerBytes + body.declaredBytes
    const entry = new InPlaceEntry(file, body, { offset: part.offset, lengthBytes }, part.headerBytes)
    const piece = new Uint8Array(READ_BYTES)
    while (entry.#receivedBytes < part.durableBytes) {
      const wanted = piece.subarray(0, Math.min(READ_BYTES, part.durableBytes - entry.#receivedBytes))
      if (file.read(wanted, entry.#bodyOffset + entry.#receivedBytes) !== wanted.length) return null
      entry.#crc32 = Bun.hash.crc32(wanted, entry.#crc32)
      entry.#receivedBytes += wanted.length
      // Reading gigabytes takes long: lets the thread send heartbeats between the pieces.
      await new Promise(setImmediate)
    }
    return entry.#crc32 === part.crc32 ? entry : null
  }

  private constructor(file: ArchiveFile, body: DeclaredBody, space: Space, headerBytes: number) {
    this.#file = file
    this.body = body
    this.space = space
    this.headerBytes = headerBytes
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  /** CRC-32 of the bytes received so far. */
  get crc32(): number {
    return this.#crc32
  }

  get isWhole(): boolean {
    return this.#receivedBytes === this.body.declaredBytes
  }

  /** Writes the next bytes of the body to their place, and frees their memory. The caller ensures that they fit. */
  write(chunk: Uint8Array): void {
    const receivedBytes = this.#receivedBytes + chunk.length
    if (receivedBytes > this.body.declaredBytes) throw new RangeError('a body runs past its declared length')
    const nextCrc32 = Bun.hash.crc32(chunk, this.#crc32)
    this.#file.writeBuffered(chunk, this.#bodyOffset + this.#receivedBytes)
    // After the write: bytes that could not be written must not count as received.
    this.#crc32 = nextCrc32
    this.#receivedBytes = receivedBytes
  }

  /** Writes the local header, now that all its fields are known. */
  finish(): void {
    if (!this.isWhole) throw new RangeError('a body ended before its declared length')
    const { name, declaredBytes, modifiedAtMs } = this.body
    const header = localFileHeader({
      name,
      method: 0,
      crc32: this.#crc32,
      compressedBytes: declaredBytes,
      sizeBytes: declaredBytes,
      modifiedAtMs,
      headerBytes: this.headerBytes,
    })
    this.#file.writeBuffered(header, this.space.offset)
  }

  get #bodyOffset(): number {
    return this.space.offset + this.headerBytes
  }
}

/** Where the entry lies according to a checkpoint, and how much of its body is durable. */
export interface DurablePart {
  readonly offset: number
  readonly headerBytes: number
  readonly durableBytes: number
  readonly crc32: number
}

const READ_BYTES = 1024 * 1024
