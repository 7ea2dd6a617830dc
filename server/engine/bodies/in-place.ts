import { InPlaceEntry } from '../../archive/in-place-entry.ts'
import { type ResumePoint, resumePointOf, validatorsIn } from '../../fetching/validator.ts'
import type { PartialEntry } from '../checkpoint/checkpoint.ts'
import type { SizeClaim } from '../limits/size.ts'
import type { OpenJob } from '../open-job.ts'
import type { BodyFacts, IncomingBody } from './incoming-body.ts'

/** A stored body of known length, written straight to its place in the archive. Checkpoints record its progress. */
export class InPlaceBody implements IncomingBody {
  readonly #job: OpenJob
  readonly facts: DeclaredFacts
  readonly #entry: InPlaceEntry
  readonly #claim: SizeClaim

  /** Allocates space for a body whose response has just begun. */
  static begin(job: OpenJob, facts: DeclaredFacts): InPlaceBody {
    const claim = job.sizeLimit.claim(facts.name, facts.declaredBytes)
    job.diskSpace.reserve(facts.declaredBytes)
    const entry = InPlaceEntry.begin(job.file, facts)
    return new InPlaceBody(job, facts, entry, claim)
  }

  /** Resumes a body from a checkpoint; null when the bytes in the file do not match the checkpoint. */
  static async resume(job: OpenJob, partial: PartialEntry): Promise<InPlaceBody | null> {
    const declaredBytes = partial.compressedBytes
    const entry = await InPlaceEntry.resume(job.file, { ...partial, declaredBytes }, partial)
    if (entry === null) return null
    const claim = job.sizeLimit.claim(partial.name, declaredBytes)
    job.diskSpace.reserve(declaredBytes - entry.receivedBytes)
    const facts = {
      ...partial,
      declaredBytes,
      isTextLike: false,
      isDecoded: false,
      validators: validatorsIn(partial),
    }
    return new InPlaceBody(job, facts, entry, claim)
  }

  private constructor(job: OpenJob, facts: DeclaredFacts, entry: InPlaceEntry, claim: SizeClaim) {
    this.#job = job
    this.facts = facts
    this.#entry = entry
    this.#claim = claim
    job.checkpointer.trackPartial(facts.position, this)
  }

  get receivedBytes(): number {
    return this.#entry.receivedBytes
  }

  resumePoint(): ResumePoint | null {
    const { validators, modifiedAtMs, declaredBytes } = this.facts
    const { receivedBytes } = this
    return resumePointOf({ ...validators, modifiedAtMs, receivedBytes, totalBytes: declaredBytes })
  }

  write(piece: Uint8Array): void {
    const pieceBytes = piece.length
    this.#entry.write(piece)
    this.#job.diskSpace.release(pieceBytes)
    this.#job.checkpointer.noteWritten()
  }

  finish(): void {
    this.#entry.finish()
    const { position, name, modifiedAtMs, declaredBytes, validators } = this.facts
    const { space, headerBytes, crc32 } = this.#entry
    this.#job.stored({
      status: 'stored',
      position,
      name,
      modifiedAtMs,
      etag: validators.etag,
      hasLastModified: validators.hasLastModified,
      finalUrlHash: validators.finalUrlHash,
      isReused: false,
      offset: space.offset,
      headerBytes,
      compressedBytes: declaredBytes,
      sizeBytes: declaredBytes,
      method: 0,
      crc32,
    })
  }

  async pause(): Promise<boolean> {
    return true
  }

  close(): void {
    // The checkpointer still records this body in the last batch, so it keeps its space.
  }

  async discard(): Promise<void> {
    await this.#job.checkpointer.drop(this.facts.position)
    this.#job.file.release(this.#entry.space)
    this.#job.diskSpace.release(this.facts.declaredBytes - this.receivedBytes)
    this.#claim.release()
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
      offset: this.#entry.space.offset,
      headerBytes: this.#entry.headerBytes,
      compressedBytes: declaredBytes,
      durableBytes: this.receivedBytes,
      crc32: this.#entry.crc32,
    }
  }
}

export type DeclaredFacts = BodyFacts & { readonly declaredBytes: number }
