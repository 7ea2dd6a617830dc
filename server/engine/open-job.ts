import { dirname } from 'node:path'
import { ArchiveFile } from '../archive/file.ts'
import { resumeMove } from '../archive/gaps/byte-move.ts'
import { createAddressGuard } from '../fetching/addresses/guard.ts'
import { localAddresses } from '../fetching/addresses/local-addresses.ts'
import { CheckedResolver } from '../fetching/addresses/resolver.ts'
import type { FetchLimits } from '../fetching/fetch-limits.ts'
import { Http1Client } from '../fetching/http1/client.ts'
import { syncDirectory } from '../files/durable.ts'
import { BaseArchive } from './base/base-archive.ts'
import { BlockQueue } from './bodies/block-queue.ts'
import { Compressor } from './bodies/compressor.ts'
import { InPlaceBody } from './bodies/in-place.ts'
import type { IncomingBody } from './bodies/incoming-body.ts'
import { removeSpools } from './bodies/spooled.ts'
import type {
  ArchiveCounts,
  Checkpoint,
  CheckpointEntry,
  CommitChanges,
  StoredEntry,
} from './checkpoint/checkpoint.ts'
import { Checkpointer } from './checkpoint/checkpointer.ts'
import { spacesOf, validateCheckpoint } from './checkpoint/spaces.ts'
import { HostAvailability } from './connections/host-availability.ts'
import { LeaseQueue } from './connections/lease-queue.ts'
import type { JobEnvironment } from './job-environment.ts'
import { type JobOrder, partPathOf } from './job-order.ts'
import { DiskSpace } from './limits/disk.ts'
import { MemoryBudget } from './limits/memory.ts'
import { type SizeClaim, SizeLimit } from './limits/size.ts'
import { ProgressMeter } from './progress-meter.ts'

/** A running job: its open archive file, its resumed checkpoint, and everything else that its sources share. */
export class OpenJob implements AsyncDisposable {
  readonly partPath: string
  readonly file: ArchiveFile
  readonly checkpointer: Checkpointer
  readonly compressor: Compressor
  readonly blocks: BlockQueue
  readonly sizeLimit: SizeLimit
  readonly diskSpace: DiskSpace
  readonly memory: MemoryBudget
  readonly meter: ProgressMeter
  readonly leases: LeaseQueue
  readonly availability: HostAvailability
  readonly resolver: CheckedResolver
  readonly client = new Http1Client()
  readonly limits: FetchLimits
  readonly base: BaseArchive | null
  readonly signal: AbortSignal
  readonly #aborter = new AbortController()
  readonly #resumed = new Map<number, IncomingBody>()
  /** Size claims of entries that earlier runs packed. */
  readonly #earlierClaims = new Map<number, SizeClaim>()
  #error: unknown = null

  /**
   * Opens the file, drops the rows that it is too short for, completes a move of bytes that a crash interrupted, and resumes
   * in-place bodies.
   */
  static async open(order: JobOrder, environment: JobEnvironment, stop: AbortSignal): Promise<OpenJob> {
    const partPath = partPathOf(order)
    await removeSpools(partPath)
    const { valid, lost } = validateCheckpoint(order.checkpoint, partPath)
    const drops = lost.map((position) => ({ kind: 'drop', position }) as const)
    if (drops.length > 0)
      await environment.commit({ changes: drops, durable: true, counts: countsOf(valid.entries) })
    const job = new OpenJob(order, valid, environment, stop)
    try {
      syncDirectory(dirname(partPath))
      if (valid.move !== null) {
        await resumeMove(job.file, valid.move, job.checkpointer, job.signal)
        job.file.setTaken(job.checkpointer.spaces())
      }
      await job.#resumePartialEntries()
      return job
    } catch (error) {
      await job[Symbol.asyncDispose]()
      throw error
    }
  }

  private constructor(order: JobOrder, valid: Checkpoint, environment: JobEnvironment, stop: AbortSignal) {
    this.partPath = partPathOf(order)
    this.signal = AbortSignal.any([this.#aborter.signal, stop])
    this.leases = new LeaseQueue(environment.openLeaseChannel, this.signal)
    this.limits = environment.limits
    this.base = order.base === null ? null : BaseArchive.open(order.base)
    this.availability = new HostAvailability(environment.limits, (host, text) =>
      environment.hostGivenUp(host, text),
    )
    this.resolver = new CheckedResolver(createAddressGuard(order.network, localAddresses), this.signal)
    this.sizeLimit = new SizeLimit(order.maxZipBytes)
    this.diskSpace = new DiskSpace(dirname(this.partPath))
    this.file = ArchiveFile.open(this.partPath, valid.entries.flatMap(spacesOf))
    const abort = (error: unknown) => this.abort(error)
    const commit: CommitChanges = async (changes, durable) =>
      environment.commit({ changes, durable, counts: this.meter.counts })
    this.checkpointer = new Checkpointer(this.file, valid.entries, commit, abort)
    this.memory = new MemoryBudget(() => environment.jobsRunning())
    this.compressor = new Compressor(environment.connectHelpers)
    this.blocks = new BlockQueue(
      this.file,
      () => environment.jobsRunning(),
      (entry) => this.stored(entry),
      abort,
    )
    this.meter = new ProgressMeter((progress) => environment.progress(progress), countsOf(valid.entries))
    for (const { position, name, compressedBytes } of this.checkpointer.storedEntries())
      this.#earlierClaims.set(position, this.sizeLimit.claim(name, compressedBytes))
  }

  /** Records a whole entry, which has been written to the file. */
  stored(entry: StoredEntry): void {
    const { position, name, sizeBytes } = entry
    this.checkpointer.put(entry)
    this.meter.packed(entry)
    this.meter.entry({ position, status: 'stored', name, sizeBytes, error: null })
  }

  /** Records that the URL could not be fetched. */
  failed(position: number, error: string): void {
    this.checkpointer.put({ status: 'failed', position, error })
    this.meter.entry({ position, status: 'failed', name: null, sizeBytes: 0, error })
  }

  /** Drops damaged entries of earlier runs, so that they are fetched again. */
  async dropDamaged(entries: readonly StoredEntry[]): Promise<void> {
    await this.checkpointer.drop(...entries.map(({ position }) => position))
    for (const entry of entries) {
      const { position } = entry
      this.#earlierClaims.get(position)?.release()
      for (const space of spacesOf(entry)) this.file.release(space)
      this.meter.lost(entry)
      this.meter.entry({ position, status: 'waiting', name: null, sizeBytes: 0, error: null })
    }
  }

  /** The in-place body that an earlier run began to receive, if any. */
  resumedBody(position: number): IncomingBody | null {
    return this.#resumed.get(position) ?? null
  }

  /** Aborts everything that runs. Only the first error counts. */
  abort(error: unknown): void {
    this.#error ??= error
    this.#aborter.abort(error)
  }

  /** Packs all received bodies. Returns the error that aborted the job, or null. */
  async settle(): Promise<unknown> {
    try {
      await this.blocks.drain()
    } catch (error) {
      this.#error ??= error
    }
    return this.#error
  }

  /** Commits the last batch, however the job ended. An error here must not replace the one that ended the job. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.client[Symbol.dispose]()
    this.compressor[Symbol.dispose]()
    this.blocks[Symbol.dispose]()
    await this.checkpointer.flush().catch(() => {})
    await this.checkpointer[Symbol.asyncDispose]()
    this.meter[Symbol.dispose]()
    this.base?.[Symbol.dispose]()
    this.file[Symbol.dispose]()
  }

  async #resumePartialEntries(): Promise<void> {
    for (const entry of this.checkpointer.partialEntries()) {
      const body = await InPlaceBody.resume(this, entry)
      if (body !== null) {
        this.#resumed.set(entry.position, body)
        continue
      }
      await this.checkpointer.drop(entry.position)
      for (const space of spacesOf(entry)) this.file.release(space)
    }
  }
}

function countsOf(entries: readonly CheckpointEntry[]): ArchiveCounts {
  const counts = entries.filter((entry) => entry.status === 'stored').map(countsOfOne)
  return {
    fileCount: counts.length,
    zipBytes: counts.reduce((sum, { zipBytes }) => sum + zipBytes, 0),
    reusedCount: counts.reduce((sum, { reusedCount }) => sum + reusedCount, 0),
  }
}

function countsOfOne({ headerBytes, compressedBytes, isReused }: StoredEntry): ArchiveCounts {
  return { fileCount: 1, zipBytes: headerBytes + compressedBytes, reusedCount: Number(isReused) }
}
