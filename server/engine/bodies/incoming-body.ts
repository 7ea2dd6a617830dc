/**
 * The states of an incoming body, and what leads from one to the next:
 *
 *     receiving          write -> receiving    the next bytes
 *                        sha256 -> receiving   all bytes are there, and facts.isHashed, or the body is in place
 *                        finish -> packed      all bytes are there
 *                        pause -> paused       the attempt failed, and resumePoint is not null; on false: discard
 *                        close -> closed       the job stops
 *                        discard -> discarded  the body will never be whole, or starts over
 *     paused             write -> receiving    the next attempt continues after resumePoint
 *                        finish -> packed      nothing was missing
 *                        close, discard        as above
 *     packed, closed, discarded                the end: nothing else may be called, except close and discard after an error of
 *                                              finish
 *
 * One call at a time: each must have resolved before the next. `facts`, `receivedBytes` and `resumePoint` may be read at any time.
 */
import type { ResumePoint, Validators } from '../../fetching/content/validator.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'

/** One body on its way into the archive, from its first byte to its finished entry. */
export interface IncomingBody {
  readonly facts: BodyFacts
  readonly receivedBytes: number
  /** Where the next attempt can resume the body; null when it must start over. */
  resumePoint(): ResumePoint | null
  /** Takes ownership of the piece: its bytes may be freed afterwards. */
  write(piece: Uint8Array<ArrayBuffer>): Promise<void>
  /** The SHA-256 of the body, which is whole now. What was not hashed as it arrived is read back. */
  sha256(): Promise<string>
  /** Packs the body, which is whole now, as an entry. Resolves when there is memory for another body. */
  finish(about: AboutBody): Promise<void>
  /**
   * Called when the body broke off and waits for its next attempt: releases memory and file descriptors meanwhile.
   * @returns false when it can't keep what it has received
   */
  pause(): Promise<boolean>
  /** Called when the job stops: releases everything that no checkpoint can keep. */
  close(): void
  /** Called when the body will never be whole: releases everything that it holds, including its space in the archive. */
  discard(): Promise<void>
}

/** What is known of a body only when it is whole. */
export type AboutBody = Pick<StoredEntry, 'warning' | 'sha256' | 'fetched'>

/** The facts about a body that the response headers contain. */
export interface BodyFacts {
  readonly position: number
  /** The likely name of the entry. */
  readonly name: string
  /** Declared length of the body; null when none is declared or the body is encoded. */
  readonly declaredBytes: number | null
  readonly isTextLike: boolean
  readonly modifiedAtMs: number
  /** Whether what is packed is not the body as it is sent. It can't be resumed: a range counts the bytes that are sent. */
  readonly isDecoded: boolean
  /** Whether its SHA-256 will be asked for: then it is hashed as it arrives. */
  readonly isHashed: boolean
  /** A later job sends them to its source to ask whether the body has changed. */
  readonly validators: Validators
}

/**
 * From this size on, a stored body of known length is written straight to its place in the archive. Smaller bodies are
 * packed in memory, where many share one write.
 */
export const IN_PLACE_BODY_BYTES = 16 * 1024

/** A large body: it does not stay in memory, and only so many arrive from one host at once as bring more. */
export const LARGE_BODY_BYTES = 1024 * 1024
