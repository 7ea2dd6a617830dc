import { localHeaderBytes } from '../../archive/format.ts'
import { Spool } from '../../archive/spool.ts'
import { type ResumePoint, resumePointOf } from '../../fetching/content/validator.ts'
import type { Garbage } from '../../garbage.ts'
import type { MemoryBudget } from '../limits/memory.ts'
import { type SizeClaim, type SizeLimit, ZipSizeExceeded } from '../limits/size.ts'
import type { BlockQueue } from './block-queue.ts'
import { BodyBuffer } from './body-buffer.ts'
import { BodyDigest } from './body-digest.ts'
import { compressAnywhere } from './compress-anywhere.ts'
import { fetchedEntry } from './facts.ts'
import type { Helpers } from './helpers.ts'
import { type AboutBody, type BodyFacts, type IncomingBody, LARGE_BODY_BYTES } from './incoming-body.ts'
import { type SpooledArchive, SpooledBody, spoolPath } from './spooled.ts'

/** What a body in memory uses of the archive. */
export interface InMemoryArchive extends SpooledArchive {
  readonly sizeLimit: SizeLimit
  readonly partPath: string
  readonly memory: MemoryBudget
  readonly garbage: Pick<Garbage, 'counted'>
  readonly helpers: Pick<Helpers, 'idle'>
  readonly blocks: Pick<BlockQueue, 'add'>
}

/**
 * A body that is small, compressible or of unknown length. It is received into memory, and moves to a spool file when it
 * turns out to be large or memory runs short.
 */
export class InMemoryBody implements IncomingBody {
  readonly #archive: InMemoryArchive
  readonly facts: BodyFacts
  readonly #claim: SizeClaim
  readonly #buffer: BodyBuffer
  readonly #digest: BodyDigest | null
  #spooled: SpooledBody | null = null
  /** The bytes of a text that waits for its next attempt while memory is scarce. */
  #parked: Spool | null = null
  #receivedBytes = 0

  constructor(archive: InMemoryArchive, facts: BodyFacts) {
    this.#archive = archive
    this.#buffer = new BodyBuffer(archive.memory)
    this.facts = facts
    this.#digest = facts.isHashed ? new BodyDigest() : null
    // Text will be compressed, and its compressed size is not known yet.
    const expectedBytes = facts.isTextLike ? 0 : (facts.declaredBytes ?? 0)
    this.#claim = archive.sizeLimit.claim(facts.name, expectedBytes)
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  resumePoint(): ResumePoint | null {
    const { validators, modifiedAtMs, declaredBytes, isDecoded } = this.facts
    const startByte = this.receivedBytes
    if (isDecoded || startByte === 0) return null
    return resumePointOf({ ...validators, modifiedAtMs, startByte, endByte: null, totalBytes: declaredBytes })
  }

  async write(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    const { garbage, sizeLimit } = this.#archive
    this.#unpark()
    this.#digest?.arrived(piece, this.#receivedBytes)
    this.#receivedBytes += piece.length
    garbage.counted(piece.length)
    // A small encoded body can decode to any size, so the limit of the archive also applies to the decoded size.
    if (this.#receivedBytes > sizeLimit.maxBytes) throw new ZipSizeExceeded(sizeLimit.maxBytes)
    if (this.#spooled === null && this.#fitsInMemory(piece)) {
      this.#buffer.append(piece)
      if (!this.facts.isTextLike) this.#claim.raise(this.#receivedBytes)
    } else {
      const spooled = this.#spooled ?? (await this.#spill())
      await spooled.write(piece)
      this.#claim.raise(spooled.writtenBytes)
    }
  }

  async sha256(): Promise<string> {
    if (this.#digest === null) throw new RangeError('a body was not hashed')
    return this.#digest.hex()
  }

  finish(about: AboutBody): Promise<void> {
    return this.#spooled === null ? this.#pack(about) : this.#packSpooled(this.#spooled, about)
  }

  async #packSpooled(spooled: SpooledBody, about: AboutBody): Promise<void> {
    const entry = await spooled.copyToArchive(this.#archive, this.facts, about)
    this.close()
    this.#claim.set(entry.compressedBytes)
    this.#archive.stored(entry)
  }

  async pause(): Promise<boolean> {
    const { memory } = this.#archive
    if (this.#spooled === null) {
      if (memory.isScarce()) await this.#leaveMemory()
      return true
    }
    // The state of a DEFLATE stream can't be written to a file.
    if (this.facts.isTextLike && memory.isScarce()) return false
    this.#spooled.pause()
    return true
  }

  close(): void {
    if (this.#spooled !== null) this.#archive.memory.changeHeld(-this.#spooled.memoryBytes)
    this.#spooled?.[Symbol.dispose]()
    this.#spooled = null
    this.#parked?.[Symbol.dispose]()
    this.#parked = null
    this.#buffer.take()
  }

  async discard(): Promise<void> {
    this.close()
    this.#claim.release()
  }

  async #pack(about: AboutBody): Promise<void> {
    const { helpers } = this.#archive
    const body = await compressAnywhere(this.#buffer.take(), this.facts.isTextLike, helpers)
    const { content, method, crc32, sizeBytes } = body
    const compressedBytes = content.length
    this.#claim.set(compressedBytes)
    this.#archive.diskSpace.ensureRoom(compressedBytes)
    const entry = {
      ...fetchedEntry(this.facts, about),
      headerBytes: localHeaderBytes(this.#claim.nameBytes, compressedBytes, sizeBytes),
      compressedBytes,
      sizeBytes,
      method,
      crc32,
    }
    await this.#archive.blocks.add({ entry, content })
  }

  #fitsInMemory(piece: Uint8Array): boolean {
    return this.#receivedBytes <= LARGE_BODY_BYTES && this.#buffer.hasRoomFor(piece.length)
  }

  /** A text is parked as it is, since it is not deflated before it is whole or turns out to be long. */
  async #leaveMemory(): Promise<void> {
    const { partPath, diskSpace } = this.#archive
    if (!this.facts.isTextLike) {
      const spooled = await this.#spill()
      spooled.pause()
      return
    }
    const bytes = this.#buffer.take()
    diskSpace.ensureRoom(bytes.length)
    this.#parked = new Spool(spoolPath(partPath, this.facts.position))
    this.#parked.append(bytes)
    this.#parked.pause()
  }

  /** The next attempt continues in memory, or in a spool file if there is no room. */
  #unpark(): void {
    for (const piece of this.#parked?.pieces() ?? []) this.#buffer.append(piece.slice())
    this.#parked?.[Symbol.dispose]()
    this.#parked = null
  }

  /** Moves the body from memory to a spool file. */
  async #spill(): Promise<SpooledBody> {
    const { partPath, diskSpace, memory } = this.#archive
    const spooled = new SpooledBody(partPath, this.facts.position, this.facts.isTextLike, diskSpace)
    this.#spooled = spooled
    memory.changeHeld(spooled.memoryBytes)
    await spooled.write(this.#buffer.take())
    return spooled
  }
}
