// server/decisions/archive-file.md says why a job writes one file, in which every entry lies at its final place.

import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, writeSync, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import { releaseMemory } from '../bytes.ts'
import { openFile } from '../files/open-file.ts'
import { filePieces } from './reading/local-archive.ts'
import type { ArchiveReader } from './reading/reader.ts'
import { WriteBuffer } from './write-buffer.ts'

/** A range of bytes in the archive file. */
export interface Space {
  readonly offset: number
  readonly lengthBytes: number
}

/**
 * The archive while it grows: a file in which each entry gets a space. Owns the file descriptor and keeps track of which
 * spaces are taken, but not of their content.
 */
export class ArchiveFile implements ArchiveReader, Disposable {
  readonly #fd: number
  readonly #writeBuffer = new WriteBuffer()
  #gaps: Space[] = []
  #endOffset = 0
  #unsyncedBytes = 0
  #syncing: Promise<void> = Promise.resolve()
  #isOpen = true
  #isAtEnd = false

  /**
   * Opens or creates the file.
   * @param taken spaces of the entries of earlier runs, in any order, not overlapping
   */
  static open(path: string, taken: readonly Space[] = []): ArchiveFile {
    const fd = openFile(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    return new ArchiveFile(fd, taken)
  }

  private constructor(fd: number, taken: readonly Space[]) {
    this.#fd = fd
    this.setTaken(taken)
  }

  /** Replaces the set of taken spaces; all other bytes are free. The spaces may be in any order and don't overlap. */
  setTaken(taken: readonly Space[]): void {
    this.#gaps = []
    this.#endOffset = 0
    for (const space of taken.toSorted((a, b) => a.offset - b.offset)) {
      if (space.offset < this.#endOffset)
        throw new RangeError('two entries claim the same bytes of the archive')
      this.#addGap(this.#endOffset, space.offset - this.#endOffset)
      this.#endOffset = space.offset + space.lengthBytes
    }
  }

  /** Where the last space ends: the length of the archive before its directory. */
  get endOffset(): number {
    return this.#endOffset
  }

  /** Length of the file on disk. */
  get fileBytes(): number {
    this.flush()
    return fstatSync(this.#fd).size
  }

  /** Bytes written since the last `sync` began. */
  get unsyncedBytes(): number {
    return this.#unsyncedBytes
  }

  /** Spaces before `endOffset` that belong to no entry, by offset. */
  get gaps(): readonly Space[] {
    return this.#gaps
  }

  /** From now on, gaps are filled no more: what comes now is to be last in the file. */
  allocateAtEnd(): void {
    this.#isAtEnd = true
  }

  /** Allocates the first gap that is large enough, else space at the end. */
  allocate(lengthBytes: number): Space {
    const index = this.#gaps.findIndex((gap) => gap.lengthBytes >= lengthBytes)
    const gap = this.#isAtEnd ? undefined : this.#gaps[index]
    if (gap === undefined) {
      const space = { offset: this.#endOffset, lengthBytes }
      this.#endOffset += lengthBytes
      return space
    }
    const rest = { offset: gap.offset + lengthBytes, lengthBytes: gap.lengthBytes - lengthBytes }
    this.#gaps.splice(index, 1, ...(rest.lengthBytes > 0 ? [rest] : []))
    return { offset: gap.offset, lengthBytes }
  }

  /** Allocates a space that is in a gap. */
  allocateAt({ offset, lengthBytes }: Space): void {
    const end = offset + lengthBytes
    const gap = this.#gaps.find((one) => one.offset <= offset && end <= one.offset + one.lengthBytes)
    if (gap === undefined) throw new RangeError('the space is not free')
    this.#gaps = this.#gaps.filter((one) => one !== gap)
    this.#addGap(gap.offset, offset - gap.offset)
    this.#addGap(end, gap.offset + gap.lengthBytes - end)
    this.#gaps.sort((a, b) => a.offset - b.offset)
  }

  /** The gap that begins here belongs to the entry after it from now on. */
  absorbGap(offset: number): void {
    this.#gaps = this.#gaps.filter((gap) => gap.offset !== offset)
  }

  /** Frees a space. The row of its entry must have been durably deleted before. */
  release(space: Space): void {
    // Buffered bytes of this entry must not overwrite what the next owner writes here.
    this.flush()
    this.#addGap(space.offset, space.lengthBytes)
    this.#gaps.sort((a, b) => a.offset - b.offset)
    this.#gaps = mergeAdjacent(this.#gaps)
    const last = this.#gaps.at(-1)
    if (last !== undefined && last.offset + last.lengthBytes === this.#endOffset) {
      this.#gaps.pop()
      this.#endOffset = last.offset
    }
  }

  /**
   * Writes bytes that overlap no other write until the next `flush`. Takes ownership of them: their memory is freed when
   * they are written. Small writes are buffered, to be joined with adjacent ones. Reading or syncing the file flushes the
   * buffer first.
   */
  writeBuffered(bytes: Uint8Array, offset: number): void {
    if (bytes.length >= UNBUFFERED_BYTES) {
      this.write(bytes, offset)
      releaseMemory(bytes)
      return
    }
    this.#writeBuffer.add(bytes, offset)
    if (this.#writeBuffer.isFull) this.flush()
  }

  /** Like `writeBuffered`, for bytes that the caller keeps. */
  writeCopy(bytes: Uint8Array, offset: number): void {
    if (bytes.length >= UNBUFFERED_BYTES) this.write(bytes, offset)
    else this.writeBuffered(bytes.slice(), offset)
  }

  /** Writes the buffered bytes. After a failure they stay in the buffer, so that the next sync fails as well. */
  flush(): void {
    for (const { chunks, offset } of this.#writeBuffer.joined()) this.writeAll(chunks, offset)
    this.#writeBuffer.clear()
  }

  /** Writes all of `bytes` at `offset`. Synchronous, since a worker thread serves one job only. */
  write(bytes: Uint8Array, offset: number): void {
    let done = 0
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done, bytes.length - done, offset + done)
    this.#unsyncedBytes += bytes.length
  }

  /** Writes all of `chunks`, one after the other, from `offset` on. */
  writeAll(chunks: readonly Uint8Array[], offset: number): void {
    const done = writevSync(this.#fd, chunks, offset)
    this.#unsyncedBytes += done
    let start = 0
    for (const chunk of chunks) {
      const end = start + chunk.length
      if (end > done) this.write(chunk.subarray(Math.max(0, done - start)), offset + Math.max(start, done))
      start = end
    }
  }

  /** Bytes that are written to the same place meanwhile may be read as they were before, or as they are then. */
  async *pieces(offset: number, lengthBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    this.flush()
    yield* filePieces(this.#fd, offset, lengthBytes)
  }

  /** Copies bytes inside the file to a free range. Source and target don't overlap. */
  async copyWithin(from: number, to: number, lengthBytes: number, signal: AbortSignal): Promise<void> {
    let done = 0
    for await (const piece of this.pieces(from, lengthBytes)) {
      signal.throwIfAborted()
      this.write(piece, to + done)
      done += piece.length
      releaseMemory(piece)
    }
    if (done < lengthBytes) throw new Error('the archive file is shorter than its entries')
  }

  /**
   * Makes everything written so far durable, without blocking this thread. When nothing was written since the last sync
   * began, waits for that sync.
   */
  async sync(): Promise<void> {
    this.flush()
    if (this.#unsyncedBytes > 0) this.#syncing = this.#syncWritten()
    await this.#syncing
  }

  /** Cuts off what an earlier run left after the last space, before something is written there. */
  truncate(): void {
    this.flush()
    ftruncateSync(this.#fd, this.#endOffset)
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#fd)
  }

  async #syncWritten(): Promise<void> {
    const unsyncedBytes = this.#unsyncedBytes
    this.#unsyncedBytes = 0
    try {
      await fdatasyncAsync(this.#fd)
    } catch (error) {
      this.#unsyncedBytes += unsyncedBytes
      throw error
    }
  }

  #addGap(offset: number, lengthBytes: number): void {
    if (lengthBytes > 0) this.#gaps.push({ offset, lengthBytes })
  }
}

/** From this size on, a system call costs little compared with writing the bytes. */
const UNBUFFERED_BYTES = 128 * 1024

const fdatasyncAsync = promisify(fdatasync)

function mergeAdjacent(sorted: readonly Space[]): Space[] {
  const merged: Space[] = []
  for (const gap of sorted) {
    const before = merged.at(-1)
    if (before !== undefined && before.offset + before.lengthBytes === gap.offset) {
      merged[merged.length - 1] = { offset: before.offset, lengthBytes: before.lengthBytes + gap.lengthBytes }
    } else {
      merged.push(gap)
    }
  }
  return merged
}
