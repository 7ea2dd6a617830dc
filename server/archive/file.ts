import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  read,
  readSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { openFile } from '../files/open-file.ts'
import { releaseMemory } from './release-memory.ts'
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
export class ArchiveFile implements Disposable {
  readonly #fd: number
  readonly #writeBuffer = new WriteBuffer()
  #gaps: Space[] = []
  #endOffset = 0
  #unsyncedBytes = 0
  #syncing: Promise<void> = Promise.resolve()
  #isOpen = true

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

  /** Allocates the first gap that is large enough, else space at the end. */
  allocate(lengthBytes: number): Space {
    const index = this.#gaps.findIndex((gap) => gap.lengthBytes >= lengthBytes)
    const gap = this.#gaps[index]
    if (gap === undefined) {
      const space = { offset: this.#endOffset, lengthBytes }
      this.#endOffset += lengthBytes
      return space
    }
    const rest = { offset: gap.offset + lengthBytes, lengthBytes: gap.lengthBytes - lengthBytes }
    this.#gaps.splice(index, 1, ...(rest.lengthBytes > 0 ? [rest] : []))
    return { offset: gap.offset, lengthBytes }
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
  writeBuffered(bytes: Uint8Array, position: number): void {
    if (bytes.length >= UNBUFFERED_BYTES) {
      this.write(bytes, position)
      releaseMemory(bytes)
      return
    }
    this.#writeBuffer.add(bytes, position)
    if (this.#writeBuffer.isFull) this.flush()
  }

  /** Like `writeBuffered`, for bytes that the caller keeps. */
  writeCopy(bytes: Uint8Array, position: number): void {
    if (bytes.length >= UNBUFFERED_BYTES) this.write(bytes, position)
    else this.writeBuffered(bytes.slice(), position)
  }

  /** Writes the buffered bytes. After a failure they stay in the buffer, so that the next sync fails as well. */
  flush(): void {
    for (const { chunks, position } of this.#writeBuffer.joined()) this.writeAll(chunks, position)
    this.#writeBuffer.clear()
  }

  /** Writes all of `bytes` at `position`. Synchronous, since a worker thread serves one job only. */
  write(bytes: Uint8Array, position: number): void {
    let done = 0
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done)
    this.#unsyncedBytes += bytes.length
  }

  /** Writes all of `chunks`, one after the other, from `position` on. */
  writeAll(chunks: readonly Uint8Array[], position: number): void {
    const done = writevSync(this.#fd, chunks, position)
    this.#unsyncedBytes += done
    let start = 0
    for (const chunk of chunks) {
      const end = start + chunk.length
      if (end > done) this.write(chunk.subarray(Math.max(0, done - start)), position + Math.max(start, done))
      start = end
    }
  }

  /** Fills `into` from `position`; returns how many bytes were read, fewer only at the end of the file. */
  read(into: Uint8Array, position: number): number {
    this.flush()
    let done = 0
    while (done < into.length) {
      const count = readSync(this.#fd, into, done, into.length - done, position + done)
      if (count === 0) break
      done += count
    }
    return done
  }

  /** Reads without blocking this thread. The bytes must not be written meanwhile. May read fewer; 0 at the end. */
  async readAsync(into: Uint8Array, position: number): Promise<number> {
    const { bytesRead } = await readFd(this.#fd, into, 0, into.length, position)
    return bytesRead
  }

  /** Copies bytes inside the file to a free range. Source and target don't overlap. */
  async copyWithin(from: number, to: number, lengthBytes: number, signal: AbortSignal): Promise<void> {
    const piece = new Uint8Array(Math.min(COPY_BYTES, lengthBytes))
    for (let done = 0; done < lengthBytes; ) {
      signal.throwIfAborted()
      const wanted = piece.subarray(0, Math.min(piece.length, lengthBytes - done))
      if (this.read(wanted, from + done) !== wanted.length)
        throw new Error('the archive file is shorter than its entries')
      this.write(wanted, to + done)
      done += wanted.length
      // Copying gigabytes takes long: lets the thread send heartbeats.
      await new Promise(setImmediate)
    }
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

const COPY_BYTES = 1024 * 1024

const fdatasyncAsync = promisify(fdatasync)
const readFd = promisify(read)

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
