import type { BrokenBody } from '../fetching/validator.ts'

/** What the headers of a response say of the body that follows. */
export interface BodyFacts {
  readonly position: number
  /** The likely name of the entry. */
  readonly name: string
  /** Length of the entry, if it is declared and the body is not encoded; else null. */
  readonly declaredBytes: number | null
  readonly isTextLike: boolean
  readonly modifiedAtMs: number
  readonly etag: string | null
}

/** Takes in one body, from its first byte to its entry in the archive. */
export interface Intake {
  readonly facts: BodyFacts
  readonly receivedBytes: number
  /** How the body can go on after it broke off; null when it must begin anew. */
  broken(): BrokenBody | null
  /** Takes the piece over: its bytes may be gone afterwards. */
  write(piece: Uint8Array<ArrayBuffer>): Promise<void> | void
  /** The body is whole: makes it an entry. Resolves when there is room in memory for another. */
  finish(): Promise<void>
  /**
   * The body broke off and waits for its next attempt: gives back what others need meanwhile.
   * @returns false when it can't keep what it has received
   */
  rest(): Promise<boolean>
  /** The job stops: lets go of what no checkpoint can hold. */
  suspend(): void
  /** Gives back what the body took: it will never be whole. */
  discard(): Promise<void>
}

/**
 * From this size on a stored body of known length goes straight to its place in the archive; smaller ones are packed
 * in memory, where many share one write.
 */
export const PLACED_BODY_BYTES = 16 * 1024

/** A body of unknown length stays in memory up to here. And from here on a few at once fill a line. */
export const LARGE_BODY_BYTES = 1024 * 1024
