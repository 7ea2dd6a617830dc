import type { ArchiveFile } from '../../archive/file.ts'
import { releaseMemory } from '../../bytes.ts'
import { BodyDigest } from './body-digest.ts'
import { DigestBehind } from './digest-behind.ts'
import type { Helpers } from './helpers.ts'
import { LARGE_BODY_BYTES } from './incoming-body.ts'

/** Where a body in place lies, and who hashes it. */
export interface HashedPlace {
  readonly file: Pick<ArchiveFile, 'pieces' | 'flush'>
  /** Absolute path of the file. */
  readonly partPath: string
  /** Where the body begins in it. */
  readonly offset: number
  readonly sizeBytes: number
  readonly helpers: Pick<Helpers, 'idle' | 'mayBeIdle'>
  readonly signal: AbortSignal
}

/**
 * The SHA-256 of a body in place. If it will be asked for, a helper hashes the body behind the writes, or this thread as it arrives.
 * What neither has hashed is read back when it is asked for.
 *
 * Methods in the order in which they may be called: for each piece `arrived`, then `reached`, and `forget` between two pieces; at the end
 * `hex`, once. `giveUp` at any time: only another `giveUp` may follow.
 */
export class InPlaceDigest {
  readonly #place: HashedPlace
  #behind: DigestBehind | null
  readonly #own: BodyDigest | null

  /** @param isHashed whether it will be asked for, and the body begins to arrive */
  constructor(place: HashedPlace, isHashed: boolean) {
    this.#place = place
    this.#behind = isHashed ? this.#beginBehind() : null
    this.#own = isHashed && this.#behind === null ? new BodyDigest() : null
  }

  /** The piece will be written now, which may free its bytes. */
  arrived(piece: Uint8Array, at: number): void {
    this.#own?.arrived(piece, at)
  }

  /** The piece is written, and the body is there without a gap up to `endByte`. */
  reached(endByte: number): void {
    this.#behind?.reached(endByte)
  }

  /** The bytes from this place on will arrive again, perhaps others. */
  forget(at: number): void {
    this.#own?.forget(at)
    this.#behind?.forget(at)
  }

  giveUp(): void {
    this.#behind?.giveUp()
  }

  /** In lower-case hexadecimal digits. The body is whole now. */
  async hex(): Promise<string> {
    const { file, offset, sizeBytes, signal } = this.#place
    if (this.#own === null) this.#behind ??= this.#beginBehind()
    const known = await this.#behind?.hex(sizeBytes)
    if (known != null) return known
    const digest = this.#own ?? new BodyDigest()
    const { hashedBytes } = digest
    for await (const piece of file.pieces(offset + hashedBytes, sizeBytes - hashedBytes)) {
      signal.throwIfAborted()
      digest.arrived(piece, digest.hashedBytes)
      releaseMemory(piece)
    }
    if (digest.hashedBytes < sizeBytes) throw new Error('the archive file is shorter than its entries')
    return digest.hex()
  }

  #beginBehind(): DigestBehind | null {
    const { file, partPath: path, offset, sizeBytes, helpers } = this.#place
    if (sizeBytes < LARGE_BODY_BYTES) return null
    return DigestBehind.begin(helpers, { path, offset, flush: () => file.flush() })
  }
}
