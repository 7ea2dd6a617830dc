import type { ArchiveFile, Space } from '../../archive/file.ts'
import { localFileHeader, localHeaderBytes } from '../../archive/format.ts'
import { readRange } from '../../archive/reading/reader.ts'
import { isIntact } from '../../archive/reading/verify.ts'
import { isStrong, type ResumePoint, resumePointOf, validatorsIn } from '../../fetching/content/validator.ts'
import type { PartialEntry, StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import type { DiskSpace } from '../limits/disk.ts'
import type { SizeClaim, SizeLimit } from '../limits/size.ts'
import { fetchedEntry } from './facts.ts'
import type { Helpers } from './helpers.ts'
import { type HashedPlace, InPlaceDigest } from './in-place-digest.ts'
import type { AboutBody, BodyFacts, IncomingBody } from './incoming-body.ts'
import { type Segment, SegmentPlan } from './segment-plan.ts'

/** What a body in place uses of the archive. */
export interface InPlaceArchive {
  readonly file: Pick<ArchiveFile, 'allocate' | 'release' | 'writeBuffered'> & HashedPlace['file']
  readonly checkpointer: Pick<Checkpointer, 'trackPartial' | 'noteWritten' | 'drop'>
  readonly sizeLimit: Pick<SizeLimit, 'claim'>
  readonly diskSpace: Pick<DiskSpace, 'reserve' | 'release'>
  readonly partPath: string
  readonly helpers: Pick<Helpers, 'idle' | 'mayBeIdle'>
  readonly signal: AbortSignal
  stored(entry: StoredEntry): void
}

export type DeclaredFacts = BodyFacts & { readonly declaredBytes: number }

/**
 * A stored body of known length. Its space is allocated when its response begins, and its bytes are written straight to their
 * final place, for several bodies and several parts of a body at once. Its local header is written when it is whole. Checkpoints
 * record its progress.
 *
 * A body that comes over one connection is written by `write`. Of one that comes over several, each connection takes a segment of
 * `plan` and writes to it. First come the methods of each `IncomingBody`, then those for what is kept of it, then those for segments, which
 * may come in place of `write`.
 */
export class InPlaceBody implements IncomingBody {
  readonly #archive: InPlaceArchive
  readonly facts: DeclaredFacts
  readonly plan: SegmentPlan
  readonly #space: Space
  readonly #headerBytes: number
  readonly #claim: SizeClaim
  readonly #digest: InPlaceDigest
  /** The segment that `write` fills; null between attempts. */
  #segment: Segment | null = null
  #mustStartOver = false

  /** Allocates space for a body whose response has just begun. This does not extend the file. */
  static begin(archive: InPlaceArchive, facts: DeclaredFacts): InPlaceBody {
    const { name, declaredBytes } = facts
    const claim = archive.sizeLimit.claim(name, declaredBytes)
    archive.diskSpace.reserve(declaredBytes)
    const headerBytes = localHeaderBytes(claim.nameBytes, declaredBytes, declaredBytes)
    const space = archive.file.allocate(headerBytes + declaredBytes)
    return new InPlaceBody(archive, facts, claim, {
      space,
      headerBytes,
      plan: new SegmentPlan(declaredBytes),
    })
  }

  /**
   * Resumes a body from a checkpoint. Reads its bytes back, since the file may have changed after the row was written.
   * @returns null when they don't have the CRC-32 of the checkpoint
   */
  static async resume(archive: InPlaceArchive, partial: PartialEntry): Promise<InPlaceBody | null> {
    const { offset, headerBytes, compressedBytes: declaredBytes, stretches } = partial
    for (const { start, end, crc32 } of stretches) {
      const lengthBytes = end - start
      const body = { compressedBytes: lengthBytes, sizeBytes: lengthBytes, crc32, method: 0 } as const
      if (!(await isIntact(archive.file, { ...body, offset: offset + start, headerBytes }, archive.signal)))
        return null
    }
    const plan = new SegmentPlan(declaredBytes, stretches)
    const claim = archive.sizeLimit.claim(partial.name, declaredBytes)
    archive.diskSpace.reserve(declaredBytes - plan.receivedBytes)
    const validators = validatorsIn(partial)
    const { position, name, modifiedAtMs } = partial
    const facts = {
      position,
      name,
      modifiedAtMs,
      declaredBytes,
      isTextLike: false,
      isDecoded: false,
      // Nothing would be hashed as it arrives, because its beginning has arrived before.
      isHashed: false,
      validators,
    }
    const space = { offset, lengthBytes: headerBytes + declaredBytes }
    return new InPlaceBody(archive, facts, claim, { space, headerBytes, plan })
  }

  private constructor(archive: InPlaceArchive, facts: DeclaredFacts, claim: SizeClaim, place: Place) {
    this.#archive = archive
    this.facts = facts
    this.#claim = claim
    this.plan = place.plan
    this.#space = place.space
    this.#headerBytes = place.headerBytes
    const { file, partPath, helpers, signal } = archive
    const at = { file, partPath, offset: this.#bodyOffset, sizeBytes: facts.declaredBytes }
    this.#digest = new InPlaceDigest({ ...at, helpers, signal }, facts.isHashed)
    archive.checkpointer.trackPartial(facts.position, this)
  }

  get receivedBytes(): number {
    return this.plan.receivedBytes
  }

  resumePoint(): ResumePoint | null {
    const { validators, modifiedAtMs, declaredBytes } = this.facts
    const missing =
      this.#segment === null ? this.plan.firstMissing() : { start: this.#segment.at, end: this.#segment.end }
    if (this.#mustStartOver || missing === null || this.receivedBytes === 0) return null
    const endByte = missing.end === declaredBytes ? null : missing.end
    return resumePointOf({
      ...validators,
      modifiedAtMs,
      startByte: missing.start,
      endByte,
      totalBytes: declaredBytes,
    })
  }

  /** The caller ensures that the piece fits into the declared length. */
  async write(piece: Uint8Array): Promise<void> {
    this.#segment ??= this.plan.takeFirst()
    if (this.#segment === null) throw new RangeError('a body runs past its declared length')
    this.writeTo(this.#segment, piece)
  }

  async sha256(): Promise<string> {
    return await this.#digest.hex()
  }

  async finish(about: AboutBody): Promise<void> {
    const { declaredBytes } = this.facts
    const [body] = this.plan.stretches()
    if (body?.start !== 0 || body.end !== declaredBytes) throw new RangeError('a body is not whole')
    const entry: StoredEntry = {
      ...fetchedEntry(this.facts, about),
      offset: this.#space.offset,
      headerBytes: this.#headerBytes,
      compressedBytes: declaredBytes,
      sizeBytes: declaredBytes,
      method: 0,
      crc32: body.crc32,
    }
    this.#archive.file.writeBuffered(localFileHeader(entry), entry.offset)
    this.#archive.stored(entry)
  }

  async pause(): Promise<boolean> {
    if (this.#segment !== null) this.plan.release(this.#segment)
    this.#segment = null
    return true
  }

  close(): void {
    // The checkpointer still records this body in the last batch, so it keeps its space.
  }

  async discard(): Promise<void> {
    this.#digest.giveUp()
    await this.#archive.checkpointer.drop(this.facts.position)
    this.#archive.file.release(this.#space)
    this.#archive.diskSpace.release(this.facts.declaredBytes - this.receivedBytes)
    this.#claim.release()
  }

  /** Its first bytes, read back from the file. */
  async beginning(lengthBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const { file } = this.#archive
    const [first] = this.plan.stretches()
    return await readRange(file, this.#bodyOffset, first?.start === 0 ? Math.min(lengthBytes, first.end) : 0)
  }

  /** What a checkpoint records of it; null while no bytes are worth keeping. */
  partialEntry(): PartialEntry | null {
    const { position, name, modifiedAtMs, declaredBytes, validators } = this.facts
    const stretches = this.plan.stretches()
    if (this.#mustStartOver || stretches.length === 0 || !isStrong({ ...validators, modifiedAtMs }))
      return null
    return {
      status: 'partial',
      position,
      name,
      modifiedAtMs,
      ...validators,
      offset: this.#space.offset,
      headerBytes: this.#headerBytes,
      compressedBytes: declaredBytes,
      stretches,
    }
  }

  /** Writes the next bytes of a segment of `plan`, which the caller ensures to fit. Takes ownership of the piece. */
  writeTo(segment: Segment, piece: Uint8Array): void {
    const pieceBytes = piece.length
    const crc32 = Bun.hash.crc32(piece, segment.crc32)
    this.#digest.arrived(piece, segment.at)
    this.#archive.file.writeBuffered(piece, this.#bodyOffset + segment.at)
    // After the write: bytes that could not be written must not count as received.
    this.plan.arrived(segment, pieceBytes, crc32)
    this.#digest.reached(this.plan.prefixBytes)
    this.#archive.diskSpace.release(pieceBytes)
    this.#archive.checkpointer.noteWritten()
  }

  /** The segment alone goes on up to the end of the body, also over bytes that other connections have brought. */
  extendToEnd(segment: Segment): void {
    // Buffered bytes must not overwrite those that are written to the same place from now on.
    this.#archive.file.flush()
    this.#digest.forget(segment.at)
    this.#archive.diskSpace.reserve(this.plan.extendToEnd(segment))
  }

  /** Nothing that has arrived can be trusted: there is no way to resume it. */
  mustStartOver(): void {
    this.#mustStartOver = true
  }

  get #bodyOffset(): number {
    return this.#space.offset + this.#headerBytes
  }
}

/** The space of a body, and how much of the body is in it. */
interface Place {
  readonly space: Space
  readonly headerBytes: number
  readonly plan: SegmentPlan
}
