import { compressBody } from '../archive/compress.ts'
import type { BrokenBody } from '../fetching/validator.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { type BodyFacts, type Intake, LARGE_BODY_BYTES } from './intake.ts'
import type { JobContext } from './job-context.ts'
import { entryBytes, type SizeClaim, ZipSizeExceeded } from './size-limit.ts'
import { SpooledBody } from './spooled-body.ts'

/**
 * Takes in a body that is small, or of which nobody says how long it is: into memory, and from there into a spool
 * file when it turns out large or memory is short.
 */
export class LooseIntake implements Intake {
  readonly #job: JobContext
  readonly facts: BodyFacts
  readonly #claim: SizeClaim
  readonly #gathered: GatheredBytes
  #spooled: SpooledBody | null = null
  #receivedBytes = 0

  constructor(job: JobContext, facts: BodyFacts) {
    this.#job = job
    this.#gathered = new GatheredBytes(job.bodyMemory)
    this.facts = facts
    // A text will be smaller than it is declared; how much, its bytes will tell.
    const expectedBytes = facts.isTextLike ? 0 : (facts.declaredBytes ?? 0)
    this.#claim = job.sizeLimit.claim(entryBytes(facts.name, expectedBytes))
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  broken(): BrokenBody | null {
    const { etag, declaredBytes } = this.facts
    if (etag === null || this.#receivedBytes === 0) return null
    return { receivedBytes: this.#receivedBytes, etag, totalBytes: declaredBytes }
  }

  async write(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#receivedBytes += piece.length
    this.#job.bodyMemory.received(piece.length)
    // A small encoded body can unfold without end: what it unfolds to is bounded like the archive is.
    if (this.#receivedBytes > this.#job.sizeLimit.maxBytes)
      throw new ZipSizeExceeded(this.#job.sizeLimit.maxBytes)
    if (this.#spooled === null && this.#fitsInMemory(piece)) {
      this.#gathered.append(piece)
    } else {
      const spooled = this.#spooled ?? (await this.#spill())
      await spooled.write(piece)
    }
    const inMemoryBytes = this.facts.isTextLike ? 0 : this.#receivedBytes
    const keptBytes = this.#spooled?.writtenBytes ?? inMemoryBytes
    this.#claim.raise(entryBytes(this.facts.name, keptBytes))
  }

  async finish(): Promise<void> {
    const { position, name, modifiedAtMs } = this.facts
    if (this.#spooled !== null) {
      const entry = await this.#spooled.place(this.#job, this.facts)
      this.suspend()
      this.#claim.set(entryBytes(name, entry.compressedBytes))
      this.#job.stored(entry)
      return
    }
    const body = compressBody(this.#gathered.take(), this.facts.isTextLike)
    this.#claim.set(entryBytes(name, body.content.length))
    await this.#job.blocks.add({ ...body, position, name, modifiedAtMs })
  }

  async rest(): Promise<boolean> {
    const { bodyMemory } = this.#job
    // The state of a deflate can't be put away.
    if (this.facts.isTextLike) return !bodyMemory.isCrowded()
    if (this.#spooled === null && bodyMemory.isCrowded()) await this.#spill()
    this.#spooled?.rest()
    return true
  }

  suspend(): void {
    if (this.#spooled !== null) this.#job.bodyMemory.held(-this.#spooled.memoryBytes)
    this.#spooled?.[Symbol.dispose]()
    this.#spooled = null
    this.#gathered.take()
  }

  async discard(): Promise<void> {
    this.suspend()
    this.#claim.release()
  }

  #fitsInMemory(piece: Uint8Array): boolean {
    return this.#receivedBytes <= LARGE_BODY_BYTES && this.#gathered.hasRoomFor(piece.length)
  }

  async #spill(): Promise<SpooledBody> {
    const spooled = new SpooledBody(this.#job.partPath, this.facts.position, this.facts.isTextLike)
    this.#spooled = spooled
    this.#job.bodyMemory.held(spooled.memoryBytes)
    await spooled.write(this.#gathered.take())
    return spooled
  }
}
