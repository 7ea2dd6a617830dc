import type { Slide } from '../archive/slide.ts'

export type { Slide }

/**
 * What survives a crash. The archive file itself is the checkpoint: every finished entry lies in it at its final
 * place, and these records say where. The engine hands them out only after the bytes that they describe are
 * durable, and gets them back as they are when the job goes on.
 */
export interface Checkpoint {
  readonly entries: readonly CheckpointEntry[]
  /** A stretch of the archive that was being moved when the job stopped; null when none was. */
  readonly slide: Slide | null
}

/** The last durable word about one source URL. A position without one was never finished: it is `waiting`. */
export type CheckpointEntry = StoredEntry | PartialEntry | FailedEntry

/** What both kinds of entry that own space in the archive file know about it. */
interface EntrySpace {
  /** Index of the URL in the job, from 0. */
  readonly position: number
  /** The likely name, from the response; duplicates get their number only when all responses are known. */
  readonly name: string
  /** Where the entry's local file header begins in the archive file. */
  readonly offset: number
  /** Length of the local file header with its name, extra fields and padding; the body lies behind it. */
  readonly headerBytes: number
  /** Length of the body as stored (APPNOTE 4.4.8). */
  readonly compressedBytes: number
  /** `Last-Modified` of the response, else the time of the fetch: milliseconds since the epoch. */
  readonly modifiedAtMs: number
}

/** An entry that is whole. */
export interface StoredEntry extends EntrySpace {
  readonly status: 'stored'
  /** Length of the body unpacked (APPNOTE 4.4.9). */
  readonly sizeBytes: number
  readonly crc32: number
  readonly method: CompressionMethod
}

/** A large body on its way to its place: the first `durableBytes` are there and have this CRC-32. */
export interface PartialEntry extends EntrySpace {
  readonly status: 'partial'
  readonly durableBytes: number
  readonly crc32: number
  /** Strong entity tag of the response, for `If-Range`; null means that the body must start over. */
  readonly etag: string | null
}

/** A URL that could not be fetched; it owns no space. */
export interface FailedEntry {
  readonly status: 'failed'
  readonly position: number
  /** `HTTP 404` or one of the closed list of phrases (`fetching/fetch-failure.ts`). */
  readonly error: string
}

/** APPNOTE 4.4.5: 0 stored, 8 deflated. */
export type CompressionMethod = 0 | 8

/**
 * One step of the checkpoint, to be written in the order given. `put` replaces what was known of the entry's
 * position; `drop` forgets it, so that its space can be used again; `slide` records how far a move has got;
 * `shift` ends one: every entry whose offset lies in [from, to) moves `by` bytes towards the front.
 */
export type CheckpointChange =
  | { readonly kind: 'put'; readonly entry: CheckpointEntry }
  | { readonly kind: 'drop'; readonly position: number }
  | { readonly kind: 'slide'; readonly slide: Slide }
  | { readonly kind: 'shift'; readonly from: number; readonly to: number; readonly by: number }

/**
 * Makes changes last. With `durable` the promise resolves only when they survive a loss of power (giving space
 * back or moving bytes must not be undone by one); without it they survive the death of the process.
 */
export type CommitCheckpoint = (changes: readonly CheckpointChange[], durable: boolean) => Promise<void>
