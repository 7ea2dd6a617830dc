import { LargeEntry } from '../archive/large-entry.ts'
import type { BrokenBody } from '../fetching/validator.ts'
import type { PartialEntry } from './checkpoint.ts'
import type { BodyFacts, Intake } from './intake.ts'

import type { JobContext } from './job-context.ts'
import { entryBytes, type SizeClaim } from './size-limit.ts'

/** Takes in a large body of known length, straight to its place; checkpoints record how far it is. */
export class PlacedIntake implements Intake {
  readonly #job: JobContext
  readonly facts: PlacedFacts
  readonly #entry: LargeEntry
  readonly #claim: SizeClaim

  /** Gives a body whose response has just begun its space. */
  static begin(job: JobContext, facts: PlacedFacts): PlacedIntake {
    const claim = job.sizeLimit.claim(entryBytes(facts.name, facts.declaredBytes))
    job.diskSpace.promise(facts.declaredBytes)
    const entry = LargeEntry.begin(job.file, { ...facts, sizeBytes: facts.declaredBytes })
    return new PlacedIntake(job, facts, entry, claim)
  }

  /** Takes up a body where a checkpoint left it; null when its bytes are not what the checkpoint says. */
  static async resume(job: JobContext, partial: PartialEntry): Promise<PlacedIntake | null> {
    const declaredBytes = partial.compressedBytes
    const entry = await LargeEntry.resume(job.file, { ...partial, sizeBytes: declaredBytes }, partial)
    if (entry === null) return null
    const claim = job.sizeLimit.claim(entryBytes(partial.name, declaredBytes))
    job.diskSpace.promise(declaredBytes - entry.receivedBytes)
    return new PlacedIntake(job, { ...partial, declaredBytes, isTextLike: false }, entry, claim)
  }

  private constructor(job: JobContext, facts: PlacedFacts, entry: LargeEntry, claim: SizeClaim) {
    this.#job = job
    this.facts = facts
    this.#entry = entry
    this.#claim = claim
    job.checkpointer.watchGrowing(facts.position, () => this.#partial())
  }

  get receivedBytes(): number {
    return this.#entry.receivedBytes
  }

  broken(): BrokenBody | null {
    const { etag, declaredBytes } = this.facts
    if (etag === null || this.receivedBytes === 0) return null
    return { receivedBytes: this.receivedBytes, etag, totalBytes: declaredBytes }
  }

  write(piece: Uint8Array): void {
    this.#entry.write(piece)
    this.#job.diskSpace.settle(piece.length)
    this.#job.bodyMemory.passed(piece.length)
    this.#job.checkpointer.noteWritten()
  }

  async finish(): Promise<void> {
    this.#entry.finish()
    const { position, name, modifiedAtMs, declaredBytes } = this.facts
    const { space, headerBytes, crc32 } = this.#entry
    this.#job.stored({
      status: 'stored',
      position,
      name,
      modifiedAtMs,
      offset: space.offset,
      headerBytes,
      compressedBytes: declaredBytes,
      sizeBytes: declaredBytes,
      method: 0,
      crc32,
    })
  }

  async rest(): Promise<boolean> {
    return true
  }

  suspend(): void {
    // Its place and the checkpointer's eye on it stay, for the last batch.
  }

  async discard(): Promise<void> {
    await this.#job.checkpointer.drop(this.facts.position)
    this.#job.file.release(this.#entry.space)
    this.#job.diskSpace.settle(this.facts.declaredBytes - this.receivedBytes)
    this.#claim.release()
  }

  #partial(): PartialEntry | null {
    if (this.broken() === null) return null
    const { position, name, modifiedAtMs, etag, declaredBytes } = this.facts
    return {
      status: 'partial',
      position,
      name,
      modifiedAtMs,
      etag,
      offset: this.#entry.space.offset,
      headerBytes: this.#entry.headerBytes,
      compressedBytes: declaredBytes,
      durableBytes: this.receivedBytes,
      crc32: this.#entry.crc32,
    }
  }
}

export type PlacedFacts = BodyFacts & { readonly declaredBytes: number }
