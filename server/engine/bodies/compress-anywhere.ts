import { type CompressedBody, compressBody } from '../../archive/compress.ts'
import type { Helpers } from './helpers.ts'

/**
 * Like `compressBody`, and with the same result, whichever thread compresses: a helper for a long text, and this one for
 * everything else. While all helpers are busy, it compresses long texts itself, so that every processor works.
 * @param bytes not usable afterwards
 */
export function compressAnywhere(
  bytes: Uint8Array<ArrayBuffer>,
  isTextLike: boolean,
  helpers: Pick<Helpers, 'idle'>,
): Promise<CompressedBody> {
  const isLong = isTextLike && bytes.length >= LONG_TEXT_BYTES
  const helper = isLong ? helpers.idle(MAX_WAITING_BYTES) : undefined
  return helper?.compress(bytes) ?? Promise.resolve(compressBody(bytes, isTextLike))
}

/** To compress this much takes 0.2 ms; to send it there and back takes 0.05 ms. */
const LONG_TEXT_BYTES = 16 * 1024

/** A helper that has more than this to do, some 10 ms of work, gets no further text. */
const MAX_WAITING_BYTES = 1024 * 1024
