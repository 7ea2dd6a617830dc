import type { ArchiveFile, Space } from '../../archive/file.ts'
import { localFileHeader, localHeaderBytes } from '../../archive/format.ts'
import { readRange } from '../../archive/reading/reader.ts'
import { isIntact } from '../../archive/reading/verify.ts'
import { type ResumePoint, resumePointOf, validatorsIn } from '../../fetching/validator.ts'
import type { EntryWarning, PartialEntry, StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { DiskSpace } from '../limits/disk.ts'
import type { SizeClaim, SizeLimit } from '../limits/size.ts'
import { fetchedEntry } from './facts.ts'
import type { BodyFacts, IncomingBody } from './incoming-body.ts'

/** What a body in place uses of its job. */
export interface InPlaceJob {
  readonly file: ArchiveFile
  readonly checkpointer: Pick<Checkpointer, 'trackPartial' | 'noteWritten' | 'drop'>
  readonly sizeLimit: SizeLimit
  readonly diskSpace: DiskSpace
  readonly signal: AbortSignal
  stored(entry: StoredEntry): void
}

export type DeclaredFacts = BodyFacts & { readonly declaredBytes: number }

/**
 * A stored body of known length. Its space is allocated when its response begins, and its bytes are written straight to their
 * final place, for several bodies at once. Its local header is written when it is whole. Checkpoints record its progress.
 */
export class InPlaceBody implements IncomingBody {
  readonly #job: InPlaceJob
  readonly facts: DeclaredFacts
  readonly #space: Space
  readonly #headerBytes: number
  readonly #claim: SizeClaim
  #receivedBytes: number
  /** Of the bytes received so far. */
  #crc32: number

  /** Allocates space for a body whose response has just begun. This does not extend the file. */
  static begin(job: InPlaceJob, facts: DeclaredFacts): InPlaceBody {
    const { name, declaredBytes } = facts
    const claim = job.sizeLimit.claim(name, declaredBytes)
    job.diskSpace.reserve(declaredBytes)
    const headerBytes = localHeaderBytes(claim.nameBytes, declaredBytes, declaredBytes)
    const space = job.file.allocate(headerBytes + declaredBytes)
    return new InPlaceBody(job, facts, claim, { space, headerBytes, receivedBytes: 0, crc32: 0 })
  }

  /**
   * Resumes a body from a checkpoint. Reads its bytes back, since the file may have changed after the row was written.
   * @returns null when they don't have the CRC-32 of the checkpoint
   */
  static async resume(job: InPlaceJob, partial: PartialEntry): Promise<InPlaceBody | null> {
    const { offset, headerBytes, compressedBytes: declaredBytes, durableBytes, crc32 } = partial
    const received = {
      ...partial,
      compressedBytes: durableBytes,
      sizeBytes: durableBytes,
      method: 0,
    } as const
    if (!(await isIntact(job.file, received, job.signal))) return null
    const claim = job.sizeLimit.claim(partial.name, declaredBytes)
    job.diskSpace.reserve(declaredBytes - durableBytes)
    const validators = validatorsIn(partial)
    const facts = { ...partial, declaredBytes, isTextLike: false, isDecoded: false, validators }
    const space = { offset, lengthBytes: headerBytes + declaredBytes }
    return new InPlaceBody(job, facts, claim, { space, headerBytes, receivedBytes: durableBytes, crc32 })
  }

  private constructor(job: InPlaceJob, facts: DeclaredFacts, claim: SizeClaim, part: ReceivedPart) {
    this.#job = job
    this.facts = facts
    this.#claim = claim
    this.#space = part.space
    this.#headerBytes = part.headerBytes
    this.#receivedBytes = part.receivedBytes
    this.#crc32 = part.crc32
    job.checkpointer.trackPartial(facts.position, this)
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  resumePoint(): ResumePoint | null {
    const { validators, modifiedAtMs, declaredBytes } = this.facts
    const { receivedBytes } = this
    return resumePointOf({ ...validators, modifiedAtMs, receivedBytes, totalBytes: declaredBytes })
  }

  /** The caller ensures that the piece fits into the declared length. */
  async write(piece: Uint8Array): Promise<void> {
    const pieceBytes = piece.length
    const receivedBytes = this.#receivedBytes + pieceBytes
    if (receivedBytes > this.facts.declaredBytes) throw new RangeError('a body runs past its declared length')
    const crc32 = Bun.hash.crc32(piece, this.#crc32)
    this.#job.file.writeBuffered(piece, this.#space.offset + this.#headerBytes + this.#receivedBytes)
    // After the write: bytes that could not be written must not count as received.
    this.#crc32 = crc32
    this.#receivedBytes = receivedBytes
    this.#job.diskSpace.release(pieceBytes)
    this.#job.checkpointer.noteWritten()
  }

  async finish(warning: EntryWarning | null): Promise<void> {
    const { declaredBytes } = this.facts
    if (this.#receivedBytes !== declaredBytes) throw new RangeError('a body ended before its declared length')
    const entry: StoredEntry = {
      ...fetchedEntry(this.facts, warning),
      offset: this.#space.offset,
      headerBytes: this.#headerBytes,
      compressedBytes: declaredBytes,
      sizeBytes: declaredBytes,
      method: 0,
      crc32: this.#crc32,
    }
    this.#job.file.writeBuffered(localFileHeader(entry), entry.offset)
    this.#job.stored(entry)
  }

  async pause(): Promise<boolean> {
    return true
  }

  close(): void {
    // The checkpointer still records this body in the last batch, so it keeps its space.
  }

  async discard(): Promise<void> {
    await this.#job.checkpointer.drop(this.facts.position)
    this.#job.file.release(this.#space)
    this.#job.diskSpace.release(this.facts.declaredBytes - this.#receivedBytes)
    this.#claim.release()
  }

  /** Its first bytes, read back from the file. */
  async beginning(lengthBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const { file } = this.#job
    const offset = this.#space.offset + this.#headerBytes
    return await readRange(file, offset, Math.min(lengthBytes, this.#receivedBytes))
  }

  /** What a checkpoint records of it; null while no bytes are worth keeping. */
  partialEntry(): PartialEntry | null {
    if (this.resumePoint() === null) return null
    const { position, name, modifiedAtMs, declaredBytes, validators } = this.facts
    return {
      status: 'partial',
      position,
      name,
      modifiedAtMs,
      ...validators,
      offset: this.#space.offset,
      headerBytes: this.#headerBytes,
      compressedBytes: declaredBytes,
      durableBytes: this.#receivedBytes,
      crc32: this.#crc32,
    }
  }
}

/** The space of a body, and how much of the body is in it. */
interface ReceivedPart {
  readonly space: Space
  readonly headerBytes: number
  readonly receivedBytes: number
  readonly crc32: number
}
