import type { ArchiveFile, Space } from '../../archive/file.ts'
import { localFileHeader, localHeaderBytes } from '../../archive/format.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { DiskSpace } from '../limits/disk.ts'
import type { SizeClaim, SizeLimit } from '../limits/size.ts'
import type { ProgressMeter } from '../progress-meter.ts'

/** What the copy of an entry uses of the archive. */
export interface CopyingArchive {
  readonly file: Pick<ArchiveFile, 'allocate' | 'release' | 'writeBuffered' | 'writeCopy'>
  readonly checkpointer: Pick<Checkpointer, 'noteWritten'>
  readonly sizeLimit: Pick<SizeLimit, 'claim'>
  readonly diskSpace: Pick<DiskSpace, 'reserve' | 'release'>
  readonly meter: Pick<ProgressMeter, 'fetching'>
  stored(entry: StoredEntry): void
}

/** What a copied entry keeps of the entry in the base. */
export type CopiedFacts = Omit<
  StoredEntry,
  'status' | 'position' | 'isReused' | 'offset' | 'headerBytes' | 'sha256' | 'fetched'
>

/**
 * An entry on its way from the base to the archive of the job. It counts in all limits like a fetched one.
 *
 * Methods in the order in which they may be called: `write` for each piece, then `finish` or `discard`.
 */
export class EntryCopy {
  readonly #archive: CopyingArchive
  readonly #position: number
  readonly #facts: CopiedFacts
  readonly #headerBytes: number
  readonly #claim: SizeClaim
  readonly #space: Space
  #copiedBytes = 0

  /** Claims the space of the entry. Throws `ZipSizeExceeded` or `DiskFull` when there is none. */
  constructor(archive: CopyingArchive, position: number, facts: CopiedFacts) {
    const { name, compressedBytes, sizeBytes } = facts
    this.#archive = archive
    this.#position = position
    this.#facts = facts
    this.#headerBytes = localHeaderBytes(Buffer.byteLength(name), compressedBytes, sizeBytes)
    this.#claim = archive.sizeLimit.claim(name, compressedBytes)
    archive.diskSpace.reserve(compressedBytes)
    this.#space = archive.file.allocate(this.#headerBytes + compressedBytes)
  }

  /** Writes the next compressed bytes to their place. The caller keeps the memory of the piece. */
  write(piece: Uint8Array): void {
    this.#archive.file.writeCopy(piece, this.#space.offset + this.#headerBytes + this.#copiedBytes)
    this.#copiedBytes += piece.length
    this.#archive.diskSpace.release(piece.length)
    this.#archive.checkpointer.noteWritten()
    const sizeBytes = this.#copiedBytes
    const { name, compressedBytes: declaredBytes } = this.#facts
    this.#archive.meter.fetching({ position: this.#position, name, declaredBytes }, sizeBytes)
  }

  /** Writes the local header and records the entry, all of whose bytes are written and have the right CRC-32. */
  finish(about: Pick<StoredEntry, 'sha256' | 'fetched'>): void {
    const place = { offset: this.#space.offset, headerBytes: this.#headerBytes }
    const header = localFileHeader({ ...this.#facts, ...place })
    this.#archive.file.writeBuffered(header, place.offset)
    const position = this.#position
    this.#archive.stored({ ...this.#facts, ...place, ...about, status: 'stored', position, isReused: true })
  }

  /** Gives everything back: the entry in the base is damaged. */
  discard(): void {
    this.#archive.file.release(this.#space)
    this.#archive.diskSpace.release(this.#facts.compressedBytes - this.#copiedBytes)
    this.#claim.release()
  }
}
