import { crc32 } from 'node:zlib'
import type { ArchiveFile, Space } from './archive-file.ts'
import { localFileHeader, localHeaderBytes } from './format.ts'

/** What is known of a large body when its response begins, or when it goes on. */
export interface LargeBody {
  readonly name: string
  /** Declared length: the body must end exactly there. */
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/**
 * A stored entry whose length is known before its bytes: it gets its space when its response begins, and its
 * bytes go straight to their final place, several entries at once. Its header is written when the body is whole.
 */
export class LargeEntry {
  readonly body: LargeBody
  readonly space: Space
  readonly headerBytes: number
  readonly #file: ArchiveFile
  #receivedBytes = 0
  #crc32 = 0

  /** Gives the body its space at once; the file is no longer for it. */
  static begin(file: ArchiveFile, body: LargeBody): LargeEntry {
    const headerBytes = localHeaderBytes(Buffer.byteLength(body.name), body.sizeBytes, body.sizeBytes)
    return new LargeEntry(file, body, file.allocate(headerBytes + body.sizeBytes), headerBytes)
  }

  /**
   * Takes up an entry where a checkpoint left it. The bytes are read again: what the file holds counts, not what
   * a row says of it.
   * @returns null when they don't give the CRC-32 of the checkpoint
   */
  static async resume(file: ArchiveFile, body: LargeBody, place: ResumePlace): Promise<LargeEntry | null> {
    const lengthBytes = place.headerBytes + body.sizeBytes
    const entry = new LargeEntry(file, body, { offset: place.offset, lengthBytes }, place.headerBytes)
    const piece = new Uint8Array(READ_BYTES)
    while (entry.#receivedBytes < place.durableBytes) {
      const wanted = piece.subarray(0, Math.min(READ_BYTES, place.durableBytes - entry.#receivedBytes))
      if (file.read(wanted, entry.#bodyOffset + entry.#receivedBytes) !== wanted.length) return null
      entry.#count(wanted)
      // Gigabytes may have to be read: whoever waits for a sign of life gets it between the pieces.
      await new Promise(setImmediate)
    }
    return entry.#crc32 === place.crc32 ? entry : null
  }

  private constructor(file: ArchiveFile, body: LargeBody, space: Space, headerBytes: number) {
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
    return this.#receivedBytes === this.body.sizeBytes
  }

  /** Writes the next bytes of the body to their place. The caller has seen to it that they fit. */
  write(chunk: Uint8Array): void {
    if (this.#receivedBytes + chunk.length > this.body.sizeBytes) {
      throw new RangeError('a body runs past its declared length')
    }
    this.#file.place(chunk, this.#bodyOffset + this.#receivedBytes)
    this.#count(chunk)
  }

  /** Writes the local header, now that all its fields are known. */
  finish(): void {
    if (!this.isWhole) throw new RangeError('a body ended before its declared length')
    const { name, sizeBytes, modifiedAtMs } = this.body
    const header = localFileHeader({
      name: encoder.encode(name),
      method: 0,
      crc32: this.#crc32,
      compressedBytes: sizeBytes,
      sizeBytes,
      modifiedAtMs,
      offset: this.space.offset,
      headerBytes: this.headerBytes,
    })
    this.#file.place(header, this.space.offset)
  }

  get #bodyOffset(): number {
    return this.space.offset + this.headerBytes
  }

  #count(chunk: Uint8Array): void {
    this.#crc32 = crc32(chunk, this.#crc32)
    this.#receivedBytes += chunk.length
  }
}

/** Where a checkpoint says that the entry lies and how much of its body is there. */
export interface ResumePlace {
  readonly offset: number
  readonly headerBytes: number
  readonly durableBytes: number
  readonly crc32: number
}

const encoder = new TextEncoder()

/** Read back in pieces. */
const READ_BYTES = 1024 * 1024
