import type { ByteMove } from '../../archive/gaps/byte-move.ts'
import type { Validators } from '../../fetching/content/validator.ts'
import type { FileWarningCode, WarningCode } from '../../vocabulary.ts'

export type { ByteMove }

/**
 * What survives a crash. Every finished entry lies in the archive file at its final place, and these records say where. The
 * engine commits them only after the bytes that they describe are durable, and receives them again when the job resumes.
 */
export interface Checkpoint {
  readonly entries: readonly CheckpointEntry[]
  /** The unfinished move of a range of bytes; null when there is none. */
  readonly move: ByteMove | null
  /**
   * So many bytes at the beginning of the archive file are as in the finished archive, and may have been sent. The entries in them have
   * their final names, places and local headers.
   */
  readonly settledBytes: number
}

/** The last durable state of one source URL. A URL without an entry is `waiting`. */
export type CheckpointEntry = StoredEntry | PartialEntry | FailedEntry

/** What stored and partial entries have in common: their space in the archive file. */
interface EntrySpace extends Validators {
  /** Index of the URL in the job, from 0. */
  readonly position: number
  /** The likely name, from the response. Duplicates are numbered only when all responses are known. */
  readonly name: string
  /** Where the entry's local file header begins in the archive file. */
  readonly offset: number
  /** Length of the local file header with its name, extra fields and padding. The body follows it. */
  readonly headerBytes: number
  /** Length of the body as stored (APPNOTE 4.4.8). */
  readonly compressedBytes: number
  /** `Last-Modified` of the response, validator or not, or else the time of the fetch, in milliseconds since the epoch. */
  readonly modifiedAtMs: number
}

/** A whole entry. */
export interface StoredEntry extends EntrySpace {
  readonly status: 'stored'
  /** Length of the uncompressed body (APPNOTE 4.4.9). */
  readonly sizeBytes: number
  readonly crc32: number
  readonly method: CompressionMethod
  /** Of the uncompressed body, in lower-case hexadecimal digits. Null unless the job asked for it. */
  readonly sha256: string | null
  /** How its body was fetched. Null unless the job has a manifest, or if nothing is known. */
  readonly fetched: FetchRecord | null
  /** Whether it was copied from the base archive instead of fetched. */
  readonly isReused: boolean
  /** Null unless it was copied because its source fails. */
  readonly kept: KeptEntry | null
  /** What looks wrong with it; null when nothing does. */
  readonly warning: EntryWarning | null
}

/** Where a body came from, for the manifest: without user information, and without what signs or authorises. */
export interface FetchRecord {
  /** The URL that sent the body after redirects; null for the submitted one. */
  readonly finalUrl: string | null
  /** When the last byte was there, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** The last HTTP status. */
  readonly status: number
  /** These are null where the response had none. */
  readonly contentType: string | null
  readonly etag: string | null
  readonly lastModifiedMs: number | null
}

/** Why an entry is older than its run. */
export interface KeptEntry {
  /** When its source last confirmed it, in milliseconds since the epoch. */
  readonly from: number
  /** Why the source fails now, as in `FailedEntry`. */
  readonly error: string
}

/** The warning of a file that is packed all the same. */
export interface FileWarning extends EntryWarning {
  readonly code: FileWarningCode
}

/** `message` is a sentence that a person can act on, without a URL or a secret. */
export interface EntryWarning {
  readonly code: WarningCode
  readonly message: string
}

/** An in-place body that is not whole yet. */
export interface PartialEntry extends EntrySpace {
  readonly status: 'partial'
  /** What is in the file, in the order of its bytes. At least one; two don't touch. */
  readonly stretches: readonly Stretch[]
}

/** Bytes of a body that have arrived, from `start` up to but not including `end`. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly crc32: number
}

/** A URL that could not be fetched. */
export interface FailedEntry {
  readonly status: 'failed'
  readonly position: number
  /** What has arrived of its body, if a later run can continue it; only in a job that fails with this URL. */
  readonly part: PartialEntry | null
  /** `HTTP 404` or one of the closed list of phrases (`fetching/attempts/fetch-failure.ts`). */
  readonly error: string
  /** What its user can do about it; null when the error says all. */
  readonly warning: EntryWarning | null
}

/** APPNOTE 4.4.5: 0 stored, 8 deflated. */
export type CompressionMethod = 0 | 8

/**
 * One change of a checkpoint; changes apply in order. `put` sets the entry of a position. `drop` deletes it, so that its
 * space can be used again. `move` records the progress of a move. `shift` ends a move: the offset of each entry in
 * [from, to) becomes `by` bytes lower. `settle` sets how many bytes are settled, and the final places of entries in them. When
 * there are fewer than before, bytes are given up that may have been sent.
 */
export type CheckpointChange =
  | { readonly kind: 'put'; readonly entry: CheckpointEntry }
  | { readonly kind: 'drop'; readonly position: number }
  | { readonly kind: 'move'; readonly move: ByteMove }
  | { readonly kind: 'shift'; readonly from: number; readonly to: number; readonly by: number }
  | { readonly kind: 'settle'; readonly settledBytes: number; readonly places: readonly FinalPlace[] }

/** The name and the local header of an entry in the finished archive. */
export interface FinalPlace {
  readonly position: number
  readonly name: string
  readonly offset: number
  readonly headerBytes: number
}

/** A batch of changes, and the counts of the archive after it, to be committed together. */
export interface CheckpointCommit {
  readonly changes: readonly CheckpointChange[]
  /**
   * With `durable` the commit resolves when the changes survive a loss of power, which must not undo the reuse of space or
   * the move of bytes. Without it they survive a crash of the process.
   */
  readonly durable: boolean
  readonly counts: ArchiveCounts
}

export interface ArchiveCounts {
  /** Entries in the archive so far. */
  readonly fileCount: number
  /** Bytes of these entries in the archive, local headers included. */
  readonly zipBytes: number
  /** How many of these entries were copied from the base archive. */
  readonly reusedCount: number
  /** How many of these entries have a warning. */
  readonly warningCount: number
}

/** Commits changes, `durable` as in `CheckpointCommit`. */
export type CommitChanges = (changes: readonly CheckpointChange[], durable: boolean) => Promise<void>
