import type { ArchiveFile } from '../archive/archive-file.ts'
import type { AddressBook } from '../fetching/address-book.ts'
import type { FetchLimits } from '../fetching/fetch-limits.ts'
import type { BlockQueue } from './block-queue.ts'
import type { BodyMemory } from './body-memory.ts'
import type { StoredEntry } from './checkpoint.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { DiskSpace } from './disk-space.ts'
import type { HostOutages } from './host-outages.ts'
import type { LeaseQueue } from './lease-queue.ts'
import type { ProgressMeter } from './progress-meter.ts'
import type { SizeLimit } from './size-limit.ts'

/** The parts that the sources of one running job share. */
export interface JobContext {
  /** Where the archive grows; spool files lie beside it, under this path and a suffix. */
  readonly partPath: string
  readonly file: ArchiveFile
  /** An entry is whole and in the file: keeps it for the checkpoint and tells of it. */
  readonly stored: (entry: StoredEntry) => void
  readonly checkpointer: Checkpointer
  readonly blocks: BlockQueue
  readonly sizeLimit: SizeLimit
  readonly diskSpace: DiskSpace
  readonly bodyMemory: BodyMemory
  readonly meter: ProgressMeter
  readonly leases: LeaseQueue
  readonly outages: HostOutages
  readonly addressBook: AddressBook
  readonly limits: FetchLimits
  /** Aborted when the job stops, for whatever reason. */
  readonly signal: AbortSignal
}
