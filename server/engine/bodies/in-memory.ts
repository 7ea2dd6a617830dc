import type { CompressedBody } from '../../archive/compress.ts'
import { localHeaderBytes } from '../../archive/format.ts'
import { type ResumePoint, resumePointOf } from '../../fetching/validator.ts'
import { type SizeClaim, ZipSizeExceeded } from '../limits/size.ts'
import type { OpenJob } from '../open-job.ts'
import type { QueuedBody } from './block-queue.ts'
import { BodyBuffer } from './body-buffer.ts'
import { type BodyFacts, type IncomingBody, LARGE_BODY_BYTES } from './incoming-body.ts'
import { SpooledBody } from './spooled.ts'

/**
 * A body that is small, compressible or of unknown length. It is received into memory, and moves to a spool file when it
 * turns out to be large or memory runs short.
 */
export class InMemoryBody implements IncomingBody {
  readonly #job: OpenJob
  readonly facts: BodyFacts
  readonly #claim: SizeClaim
  readonly #buffer: BodyBuffer
  #spooled: SpooledBody | null = null
  #receivedBytes = 0

  constructor(job: OpenJob, facts: BodyFacts) {
    this.#job = job
    this.#buffer = new BodyBuffer(job.memory)
    this.facts = facts
    // Text will be compressed, and its compressed size is not known yet.
    const expectedBytes = facts.isTextLike ? 0 : (facts.declaredBytes ?? 0)
    this.#claim = job.sizeLimit.claim(facts.name, expectedBytes)
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  resumePoint(): ResumePoint | null {
    const { validators, modifiedAtMs, declaredBytes, isDecoded } = this.facts
    if (isDecoded) return null
    const { receivedBytes } = this
    return resumePointOf({ ...validators, modifiedAtMs, receivedBytes, totalBytes: declaredBytes })
  }

  /** Returns at once while the body stays in memory: a promise per piece of thousands of small bodies takes noticeable time. */
  write(piece: Uint8Array<ArrayBuffer>): Promise<void> | void {
    this.#receivedBytes += piece.length
    this.#job.memory.pieceBuffered(piece.length)
    // A small encoded body can decode to any size, so the limit of the archive also applies to the decoded size.
    if (this.#receivedBytes > this.#job.sizeLimit.maxBytes)
      throw new ZipSizeExceeded(this.#job.sizeLimit.maxBytes)
    if (this.#spooled !== null || !this.#fitsInMemory(piece)) return this.#writeSpooled(piece)
    this.#buffer.append(piece)
    if (!this.facts.isTextLike) this.#claim.raise(this.#receivedBytes)
  }

  finish(): Promise<void> | void {
    if (this.#spooled !== null) return this.#finishSpooled(this.#spooled)
    const body = this.#job.compressor.compress(this.#buffer.take(), this.facts.isTextLike)
    return body instanceof Promise ? this.#packWhenCompressed(body) : this.#pack(body)
  }

  async pause(): Promise<boolean> {
    const { memory } = this.#job
    // The state of a DEFLATE stream can't be written to a file.
    if (this.facts.isTextLike) return !memory.isScarce()
    if (this.#spooled === null && memory.isScarce()) await this.#spill()
    this.#spooled?.pause()
    return true
  }

  close(): void {
    if (this.#spooled !== null) this.#job.memory.changeHeld(-this.#spooled.memoryBytes)
    this.#spooled?.[Symbol.dispose]()
    this.#spooled = null
    this.#buffer.take()
  }

  async discard(): Promise<void> {
    this.close()
    this.#claim.release()
  }

  async #writeSpooled(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    const spooled = this.#spooled ?? (await this.#spill())
    await spooled.write(piece)
    this.#claim.raise(spooled.writtenBytes)
  }

  async #finishSpooled(spooled: SpooledBody): Promise<void> {
    const entry = await spooled.copyToArchive(this.#job, this.facts)
    this.close()
    this.#claim.set(entry.compressedBytes)
    this.#job.stored(entry)
  }

  async #packWhenCompressed(body: Promise<CompressedBody>): Promise<void> {
    await this.#pack(await body)
  }

  #pack({ content, method, crc32, sizeBytes }: CompressedBody): Promise<void> | void {
    const { position, name, modifiedAtMs, validators } = this.facts
    const compressedBytes = content.length
    this.#claim.set(compressedBytes)
    const entry: QueuedBody['entry'] = {
      status: 'stored',
      position,
      name,
      modifiedAtMs,
      etag: validators.etag,
      hasLastModified: validators.hasLastModified,
      finalUrlHash: validators.finalUrlHash,
      isReused: false,
      offset: 0,
      headerBytes: localHeaderBytes(this.#claim.nameBytes, compressedBytes, sizeBytes),
      compressedBytes,
      sizeBytes,
      method,
      crc32,
    }
    return this.#job.blocks.add({ entry, content })
  }

  #fitsInMemory(piece: Uint8Array): boolean {
    return this.#receivedBytes <= LARGE_BODY_BYTES && this.#buffer.hasRoomFor(piece.length)
  }

  /** Moves the body from memory to a spool file. */
  async #spill(): Promise<SpooledBody> {
    const spooled = new SpooledBody(this.#job.partPath, this.facts.position, this.facts.isTextLike)
    this.#spooled = spooled
    this.#job.memory.changeHeld(spooled.memoryBytes)
    await spooled.write(this.#buffer.take())
    return spooled
  }
}
