import { type CompressedBody, compressBody } from '../../archive/compress.ts'
import type { Helpers } from './helpers.ts'

/**
 * Compresses the bodies of one job: long texts in helper threads, and everything else in the thread of the job. While all
 * helpers are busy, the thread of the job compresses texts itself, so that every processor works.
 */
export class Compressor {
  readonly #helpers: Pick<Helpers, 'idle'>

  constructor(helpers: Pick<Helpers, 'idle'>) {
    this.#helpers = helpers
  }

  /**
   * Like `compressBody`, and with the same result, whichever thread compresses.
   * @param bytes not usable afterwards
   */
  compress(bytes: Uint8Array<ArrayBuffer>, isTextLike: boolean): Promise<CompressedBody> {
    const isLong = isTextLike && bytes.length >= LONG_TEXT_BYTES
    const helper = isLong ? this.#helpers.idle(MAX_WAITING_BYTES) : undefined
    return helper?.compress(bytes) ?? Promise.resolve(compressBody(bytes, isTextLike))
  }
}

/** To compress this much takes 0.2 ms; to send it there and back takes 0.05 ms. */
const LONG_TEXT_BYTES = 16 * 1024

/** A helper that has more than this to do, some 10 ms of work, gets no further text. */
const MAX_WAITING_BYTES = 1024 * 1024
