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
import { GatheredWrites } from './gathered-writes.ts'

/** A stretch of the archive file. */
export interface Space {
  readonly offset: number
  readonly lengthBytes: number
}

/**
 * The archive while it grows: a file in which every entry gets its own space once and is written there.
 * Owns the file descriptor and knows which stretches are taken; what they mean, others know.
 */
export class ArchiveFile implements Disposable {
  readonly #fd: number
  readonly #gathered = new GatheredWrites()
  #gaps: Space[] = []
  #endOffset = 0
  #unsyncedBytes = 0
  #syncing: Promise<void> = Promise.resolve()
  #isOpen = true

  /**
   * Opens or creates the file.
   * @param taken spaces of the entries that an earlier run left, in any order, not overlapping
   */
  static open(path: string, taken: readonly Space[] = []): ArchiveFile {
    const fd = openFile(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    return new ArchiveFile(fd, taken)
  }

  private constructor(fd: number, taken: readonly Space[]) {
    this.#fd = fd
    this.take(taken)
  }

  /** Says anew which spaces are taken: all others are free. In any order, not overlapping. */
  take(taken: readonly Space[]): void {
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

  /** Length of the file as it is on disk. */
  get fileBytes(): number {
    this.flush()
    return fstatSync(this.#fd).size
  }

  /** Bytes written since the last `sync` began. */
  get unsyncedBytes(): number {
    return this.#unsyncedBytes
  }

  /** Stretches inside the archive that belong to no entry, by offset. */
  get gaps(): readonly Space[] {
    return this.#gaps
  }

  /** Gives the first gap that is large enough, else room at the end. */
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

  /** Takes a space back. Who owned it must have been forgotten durably before. */
  release(space: Space): void {
    // What was on its way there must not come behind what the next owner writes.
    this.flush()
    this.#addGap(space.offset, space.lengthBytes)
    this.#gaps.sort((a, b) => a.offset - b.offset)
    this.#gaps = mergeNeighbours(this.#gaps)
    const last = this.#gaps.at(-1)
    if (last !== undefined && last.offset + last.lengthBytes === this.#endOffset) {
      this.#gaps.pop()
      this.#endOffset = last.offset
    }
  }

  /**
   * Takes over bytes that nothing else was or will be written over until the next `flush`. Small ones wait there
   * for their neighbours. Who asks for what the file holds, or to make it durable, gets them written first.
   */
  place(bytes: Uint8Array, position: number): void {
    if (bytes.length >= DIRECT_BYTES) {
      this.write(bytes, position)
      return
    }
    this.#gathered.add(bytes, position)
    if (this.#gathered.isFull) this.flush()
  }

  /** Writes what `place` has gathered. What fails stays gathered, so that no sync can pass it by. */
  flush(): void {
    for (const { chunks, position } of this.#gathered.joined()) this.writeAll(chunks, position)
    this.#gathered.clear()
  }

  /** Writes all of `bytes` at `position`. Synchronous: a worker thread has nothing better to do meanwhile. */
  write(bytes: Uint8Array, position: number): void {
    let done = 0
    while (done < bytes.length) done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done)
    this.#unsyncedBytes += bytes.length
  }

  /** Writes all of `chunks`, one behind the other, from `position` on. */
  writeAll(chunks: readonly Uint8Array[], position: number): void {
    const done = writevSync(this.#fd, chunks, position)
    this.#unsyncedBytes += done
    let start = 0
    for (const chunk of chunks) {
      const missing = chunk.subarray(Math.max(0, done - start))
      if (missing.length > 0) this.write(missing, position + start + chunk.length - missing.length)
      start += chunk.length
    }
  }

  /** Fills `into` from `position`; returns how many bytes there were. */
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

  /** The same off this thread, for bytes that nobody writes meanwhile; may give fewer than there are, none at the end. */
  async readAside(into: Uint8Array, position: number): Promise<number> {
    const { bytesRead } = await readAsync(this.#fd, into, 0, into.length, position)
    return bytesRead
  }

  /** Copies bytes inside the file, to where nothing lies; the two stretches don't overlap. */
  async copyWithin(from: number, to: number, lengthBytes: number, signal: AbortSignal): Promise<void> {
    const piece = new Uint8Array(Math.min(COPY_BYTES, lengthBytes))
    for (let done = 0; done < lengthBytes; ) {
      signal.throwIfAborted()
      const wanted = piece.subarray(0, Math.min(piece.length, lengthBytes - done))
      if (this.read(wanted, from + done) !== wanted.length)
        throw new Error('the archive file is shorter than its entries')
      this.write(wanted, to + done)
      done += wanted.length
      // It can be gigabytes: the thread must not be silent for so long.
      await new Promise(setImmediate)
    }
  }

  /**
   * Makes everything written so far survive a loss of power. Off this thread, so that bodies keep flowing. Who comes
   * with nothing new waits for the sync that is under way: it is what they ask for.
   */
  async sync(): Promise<void> {
    this.flush()
    if (this.#unsyncedBytes > 0) this.#syncing = this.#syncWritten()
    await this.#syncing
  }

  /** Drops what an earlier run left behind the last space, before something is written there. */
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

/** From here on a write of its own costs little beside its bytes. */
const DIRECT_BYTES = 128 * 1024

const COPY_BYTES = 1024 * 1024

const fdatasyncAsync = promisify(fdatasync)
const readAsync = promisify(read)

function mergeNeighbours(sorted: readonly Space[]): Space[] {
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
