import type { NetworkPolicy } from '../fetching/address-guard.ts'
import type { Checkpoint } from './checkpoint.ts'

export type { NetworkPolicy }

/** Everything that the engine needs to know about one job: plain values, so that it can be posted to a worker. */
export interface JobOrder {
  readonly jobId: string
  /** Where connections are short, jobs of one group count as one: those of one user. */
  readonly group: string
  /** Absolute path of the finished archive; while the job runs its bytes are in the same path + `.part`. */
  readonly archivePath: string
  readonly sources: readonly Source[]
  /** False skips URLs that can't be fetched; true lets one of them fail the job. */
  readonly failOnUrlError: boolean
  /** The plan's limit on the finished archive, in bytes. */
  readonly maxZipBytes: number
  readonly checkpoint: Checkpoint
  readonly network: NetworkPolicy
}

/** Where the archive grows until it is whole. Spool files lie beside it, under this path and a suffix. */
export function partPathOf(order: Pick<JobOrder, 'archivePath'>): string {
  return `${order.archivePath}.part`
}

/** One URL of the job. Its index in `sources` is its position. */
export interface Source {
  readonly url: string
  /** Name asked for by the client, may hold folders; null leaves the name to the response and the URL. */
  readonly filename: string | null
}

/** How a run of a job ended. After `stopped` the job can go on from its checkpoint. */
export type JobOutcome =
  | ({ readonly status: 'completed' } & CompletedArchive)
  | { readonly status: 'failed'; readonly failure: JobFailure }
  | { readonly status: 'stopped' }

export interface CompletedArchive {
  readonly fileCount: number
  readonly zipBytes: number
  /** The entries that have a number in the archive, as others have the same name. */
  readonly numbered: readonly EntryName[]
}

/** The final name of a packed entry. */
export interface EntryName {
  readonly position: number
  readonly name: string
}

export interface JobFailure {
  readonly code:
    | 'URL_FAILED'
    | 'ALL_URLS_FAILED'
    | 'ZIP_SIZE_EXCEEDED'
    | 'DISK_FULL'
    | 'CANCELLED'
    | 'INTERNAL_ERROR'
  readonly message: string
}

/** Live news of a running job, at most ten a second. Nothing here is durable: a checkpoint change follows. */
export interface JobProgress {
  /** Entries in the archive so far. */
  readonly fileCount: number
  /** Length of the archive if it were closed now, in bytes. */
  readonly zipBytes: number
  /** Bytes received from sources in this run. */
  readonly receivedBytes: number
  /** The entries that changed since the last news. */
  readonly entries: readonly EntryProgress[]
}

export interface EntryProgress {
  readonly position: number
  readonly status: 'waiting' | 'fetching' | 'stored' | 'failed'
  /** Null until the response has begun. */
  readonly name: string | null
  /** Bytes of the body received so far, or its whole size when stored. */
  readonly sizeBytes: number
  readonly error: string | null
}
