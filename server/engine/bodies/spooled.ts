import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DeflateRaw } from 'node:zlib'
import { DEFLATE_LEVEL } from '../../archive/compress.ts'
import type { ArchiveFile } from '../../archive/file.ts'
import { localFileHeader, localHeaderBytes } from '../../archive/format.ts'
import { Spool } from '../../archive/spool.ts'
import { releaseMemory } from '../../bytes.ts'
import { whenDescriptorIsFree } from '../../files/open-file.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { DiskSpace } from '../limits/disk.ts'
import { fetchedEntry } from './facts.ts'
import type { AboutBody, BodyFacts } from './incoming-body.ts'

/** What a spooled body uses of the archive when it is whole. */
export interface SpooledArchive {
  readonly file: Pick<ArchiveFile, 'allocate' | 'write'>
  readonly checkpointer: Pick<Checkpointer, 'noteWritten'>
  readonly diskSpace: DiskSpace
  stored(entry: StoredEntry): void
}

/**
 * A body in a spool file: of unknown length, or of a text-like type that is deflated while it arrives. It is copied to the
 * archive when its length there is known.
 *
 * Methods in the order in which they may be called: `write` any number of times, with `pause` between two attempts; `copyToArchive` once.
 * Dispose of it in any case, also when one of them has thrown.
 */
export class SpooledBody implements Disposable {
  readonly #spool: Spool
  readonly #deflate: DeflateRaw | null
  readonly #diskSpace: DiskSpace
  #sizeBytes = 0
  #crc32 = 0
  #failure: unknown = null

  constructor(partPath: string, position: number, isDeflated: boolean, diskSpace: DiskSpace) {
    this.#diskSpace = diskSpace
    this.#spool = new Spool(spoolPath(partPath, position))
    this.#deflate = isDeflated ? createDeflate() : null
    this.#deflate?.on('data', (piece: Uint8Array) => this.#append(piece))
    this.#deflate?.on('error', (error) => {
      this.#failure ??= error
    })
  }

  /** Bytes in the spool file so far, as they will be stored in the archive: deflated if the body is. */
  get writtenBytes(): number {
    return this.#spool.lengthBytes
  }

  /** Memory that the body holds, in addition to its file. */
  get memoryBytes(): number {
    return this.#deflate === null ? 0 : DEFLATE_BYTES
  }

  /** Closes the file until the next attempt. */
  pause(): void {
    this.#spool.pause()
  }

  /**
   * Takes ownership of the piece.
   * @throws DiskFull when the disk has no room for it
   */
  async write(piece: Uint8Array): Promise<void> {
    this.#crc32 = Bun.hash.crc32(piece, this.#crc32)
    this.#sizeBytes += piece.length
    if (this.#deflate === null) {
      this.#writeToSpool(piece)
      releaseMemory(piece)
    } else if (!this.#healthy(this.#deflate).write(piece)) await once(this.#deflate, 'drain')
  }

  /** Allocates space for the body, whose length is known now, and copies it there. */
  async copyToArchive(archive: SpooledArchive, facts: BodyFacts, about: AboutBody): Promise<StoredEntry> {
    if (this.#deflate !== null) {
      this.#healthy(this.#deflate).end()
      await once(this.#deflate, 'end')
    }
    const compressedBytes = this.#spool.lengthBytes
    const headerBytes = localHeaderBytes(Buffer.byteLength(facts.name), compressedBytes, this.#sizeBytes)
    archive.diskSpace.reserve(compressedBytes)
    const { offset } = archive.file.allocate(headerBytes + compressedBytes)
    const entry: StoredEntry = {
      ...fetchedEntry(facts, about),
      offset,
      headerBytes,
      compressedBytes,
      sizeBytes: this.#sizeBytes,
      crc32: this.#crc32,
      method: this.#deflate === null ? 0 : 8,
    }
    archive.file.write(localFileHeader(entry), offset)
    let end = offset + headerBytes
    for (const piece of this.#spool.pieces()) {
      archive.file.write(piece, end)
      archive.diskSpace.release(piece.length)
      archive.checkpointer.noteWritten()
      end += piece.length
      // Lets the thread receive other bodies between the pieces of a long copy.
      await new Promise(setImmediate)
    }
    return entry
  }

  /**
   * Call before each wait for the stream: it emits its error only once, and a wait that begins after that would never end.
   * @throws the error of the stream or of the spool file
   */
  #healthy(deflate: DeflateRaw): DeflateRaw {
    if (this.#failure !== null) throw this.#failure
    return deflate
  }

  /** Runs in an event handler of the stream, where no caller would catch the error of a full disk. */
  #append(piece: Uint8Array): void {
    try {
      this.#writeToSpool(piece)
    } catch (error) {
      this.#failure ??= error
      this.#deflate?.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #writeToSpool(piece: Uint8Array): void {
    this.#diskSpace.ensureRoom(piece.length)
    this.#spool.append(piece)
  }

  [Symbol.dispose](): void {
    this.#deflate?.destroy()
    this.#spool[Symbol.dispose]()
  }
}

/** Where the spool file of a URL is, next to the archive file. */
export function spoolPath(partPath: string, position: number): string {
  return `${partPath}${SPOOL_SUFFIX}${position}`
}

/**
 * Deletes the spool files that a crashed run has left. A run creates the archive file before any spool file, so a new job needs
 * no search: the directory may hold a hundred thousand archives.
 */
export async function removeSpools(partPath: string): Promise<void> {
  if (!existsSync(partPath)) return
  const prefix = `${basename(partPath)}${SPOOL_SUFFIX}`
  const directory = dirname(partPath)
  const left = (await whenDescriptorIsFree(() => readdir(directory))).filter((name) =>
    name.startsWith(prefix),
  )
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })))
}

/** Loaded with the first long text: with its streams, each thread that has the module needs some megabytes for it. */
function createDeflate(): DeflateRaw {
  return process.getBuiltinModule('node:zlib').createDeflateRaw({ level: DEFLATE_LEVEL })
}

/** zlib.h: `(1 << (windowBits+2)) + (1 << (memLevel+9))` for 15 and 8, plus buffers. */
const DEFLATE_BYTES = 320 * 1024

const SPOOL_SUFFIX = '.spool-'
