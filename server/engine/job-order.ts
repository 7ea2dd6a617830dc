import type { NetworkPolicy } from '../fetching/addresses/guard.ts'
import type { Cookie } from '../fetching/headers/cookies.ts'
import type { OriginRules } from '../fetching/headers/origin-headers.ts'
import type { BaseUse, EntryStatus, FailureCode } from '../vocabulary.ts'
import type {
  ArchiveCounts,
  Checkpoint,
  EntryWarning,
  FinalPlace,
  StoredEntry,
} from './checkpoint/checkpoint.ts'

export type { FinalPlace, NetworkPolicy }

/** Everything that the engine needs to know about one job: plain values, except the sources. */
export interface JobOrder {
  readonly jobId: string
  /** When connections are scarce, each group gets the same share. A group is all jobs of one user. */
  readonly group: string
  /** Absolute path of the finished archive. While the job runs, its bytes are in the same path + `.part`. */
  readonly archivePath: string
  readonly sources: Sources
  /** Whether a URL that can't be fetched fails the job. If not, it is skipped. */
  readonly failOnUrlError: boolean
  /** Whether a file that would get a warning counts as failed. */
  readonly failOnWarning: boolean
  /** Whether the archive gets a list of its sources and of their checksums. */
  readonly hasManifest: boolean
  /** The plan's limit on the finished archive, in bytes. */
  readonly maxZipBytes: number
  /** A body that declares more fails its URL alone: no plan allows that, or no disk here holds it. */
  readonly maxDeclaredBytes: number
  readonly checkpoint: Checkpoint
  /**
   * One number: how many clients download the archive now, while it is packed. Its beginning is settled as early as possible. Null when
   * nobody can.
   */
  readonly earlyReaders: Int32Array<SharedArrayBuffer> | null
  /** The finished archive that entries are copied from; null when all sources are fetched. */
  readonly base: BaseOrder | null
  readonly network: NetworkPolicy
  /** What each origin gets from the users of the job. Secret: it goes from the caller to the job's thread, and nowhere else. */
  readonly originRules: OriginRules
  /** Cookies that are sent by their own rules. As secret. */
  readonly cookies: readonly Cookie[]
}

/** Path of the unfinished archive. Spool files have the same path with a further suffix. */
export function partPathOf(order: Pick<JobOrder, 'archivePath'>): string {
  return `${order.archivePath}.part`
}

/** The URLs of a job, in order. They may take 40 MB, so the implementations read only the requested range. */
export interface Sources {
  readonly length: number
  /** Like `Array.slice`: from `first` up to but not including `end`. Fewer when the job was deleted. */
  slice(first: number, end: number): Promise<readonly SourceToPack[]>
}

/** Sources that are in memory, such as an array. */
export interface SourcesInMemory {
  readonly length: number
  slice(first: number, end: number): readonly SourceToPack[]
}

export function sourcesFrom(list: SourcesInMemory): Sources {
  return { length: list.length, slice: async (first, end) => list.slice(first, end) }
}

/** One URL of the job. Its index in `sources` is its position. */
export interface Source {
  readonly url: string
  /** The name that the client requested, possibly with folders. If null, the response or the URL determines the name. */
  readonly filename: string | null
  /** The SHA-256 that the body must have, in lower-case hexadecimal digits. Any body will do if null or absent. */
  readonly sha256?: string | null
}

/**
 * The same text for the same URL with the same requested name, and only for these. Without a name, the URL itself: a copy of each
 * would double a list of 40 MB. No URL begins with a bracket.
 */
export function sourceKey({ url, filename }: Source): string {
  return filename === null ? url : JSON.stringify([url, filename])
}

/** A source of a running job. */
export interface SourceToPack extends Source {
  /** The entry of the same URL and requested name in the base of the job, if it has one. */
  readonly base?: BaseEntry
}

/** The base of a job: a finished archive, by its absolute path. It may no longer exist. */
export interface BaseOrder {
  readonly path: string
  /** The link to read it from instead, if it is in the archive store. The address guard does not apply to it. */
  readonly link: string | null
  readonly reuse: BaseUse
  /** When the archive was completed, if entries are copied from it whose sources fail now; null if these fail. */
  readonly keepFrom: number | null
}

/** An entry of a finished archive. `name` is the likely name, before duplicates were numbered. */
export interface BaseEntry extends Omit<StoredEntry, 'status' | 'position' | 'isReused' | 'kept'> {
  /** The name in the archive. */
  readonly finalName: string
  /** When its source last confirmed it, if that was before the base was packed. */
  readonly keptFrom?: number | null
}

/** How a run of a job ended. A `stopped` job can resume from its checkpoint. */
export type JobOutcome =
  | ({ readonly status: 'completed' } & CompletedArchive)
  | { readonly status: 'failed'; readonly failure: JobFailure }
  | { readonly status: 'stopped' }

export interface CompletedArchive {
  readonly fileCount: number
  readonly zipBytes: number
  /** The entries whose names were numbered, or whose local headers were extended, after the last checkpoint. */
  readonly changed: readonly FinalPlace[]
}

export interface JobFailure {
  readonly code: FailureCode
  readonly message: string
}

/** Progress of a running job, at most ten times per second. Not durable: checkpoint changes follow. */
export interface JobProgress extends ArchiveCounts {
  /** Bytes received from sources in this run. */
  readonly receivedBytes: number
  /** How much of the job is done, from 0 to 0.99. */
  readonly doneFraction: number
  /** The entries that changed since the last report. */
  readonly entries: readonly EntryProgress[]
}

export interface EntryProgress {
  readonly position: number
  readonly status: EntryStatus
  /** Null until the response has begun. */
  readonly name: string | null
  /** Bytes of the body received so far, or its whole size when stored. */
  readonly sizeBytes: number
  /** Null until it is stored, and unless the job asked for it. */
  readonly sha256: string | null
  /** The size that the source declares, while it is being fetched; null when it declares none. */
  readonly expectedBytes: number | null
  readonly error: string | null
  readonly warning: EntryWarning | null
}
