import { dirname } from 'node:path'
import { ArchiveFile } from '../archive/archive-file.ts'
import { slideOn } from '../archive/slide.ts'
import { createAddressGuard } from '../fetching/address-guard.ts'
import { CheckedResolver } from '../fetching/checked-resolver.ts'
import type { FetchLimits } from '../fetching/fetch-limits.ts'
import { localAddresses } from '../fetching/local-addresses.ts'
import { syncDirectory } from '../files/durable.ts'
import { BlockQueue } from './block-queue.ts'
import type { Checkpoint, CommitCheckpoint, StoredEntry } from './checkpoint.ts'
import { Checkpointer } from './checkpointer.ts'
import { DiskSpace } from './disk-space.ts'
import { judgeCheckpoint, spaceOf } from './held-entries.ts'
import { HostAvailability } from './host-availability.ts'
import { InPlaceBody } from './in-place-body.ts'
import type { IncomingBody } from './incoming-body.ts'
import { type JobOrder, partPathOf } from './job-order.ts'
import type { JobPorts } from './job-ports.ts'
import { LeaseQueue } from './lease-queue.ts'
import { MemoryBudget } from './memory-budget.ts'
import { ProgressMeter } from './progress-meter.ts'
import { entryBytes, type SizeClaim, SizeLimit } from './size-limit.ts'
import { removeSpools } from './spooled-body.ts'

/** A job whose archive file is open and whose checkpoint has been taken up: owns all that its sources share. */
export class OpenJob implements AsyncDisposable {
  readonly partPath: string
  readonly file: ArchiveFile
  readonly checkpointer: Checkpointer
  readonly blocks: BlockQueue
  readonly sizeLimit: SizeLimit
  readonly diskSpace: DiskSpace
  readonly memory: MemoryBudget
  readonly meter: ProgressMeter
  readonly leases: LeaseQueue
  readonly availability: HostAvailability
  readonly resolver: CheckedResolver
  readonly limits: FetchLimits
  readonly signal: AbortSignal
  readonly #aborter = new AbortController()
  readonly #earlier = new Map<number, IncomingBody>()
  /** What entries of earlier runs take of the limit. */
  readonly #heldClaims = new Map<number, SizeClaim>()
  #error: unknown = null

  /**
   * Opens the file, drops what of the checkpoint it doesn't hold, ends a move of bytes that a crash broke off, and
   * takes up large bodies where they are.
   */
  static async open(order: JobOrder, ports: JobPorts, stop: AbortSignal): Promise<OpenJob> {
    const partPath = partPathOf(order)
    await removeSpools(partPath)
    const { held, lost } = judgeCheckpoint(order.checkpoint, partPath)
    const drops = lost.map((position) => ({ kind: 'drop', position }) as const)
    if (drops.length > 0) await ports.commit(drops, true)
    const job = new OpenJob(order, held, ports, stop)
    try {
      syncDirectory(dirname(partPath))
      if (held.slide !== null) {
        await slideOn(job.file, held.slide, job.checkpointer, job.signal)
        job.file.setTaken(job.checkpointer.spaces())
      }
      await job.#resumePartialEntries()
      return job
    } catch (error) {
      await job[Symbol.asyncDispose]()
      throw error
    }
  }

  private constructor(order: JobOrder, held: Checkpoint, ports: JobPorts, stop: AbortSignal) {
    this.partPath = partPathOf(order)
    this.signal = AbortSignal.any([this.#aborter.signal, stop])
    this.leases = new LeaseQueue(ports.openLeaseChannel, this.signal)
    this.limits = ports.limits
    this.availability = new HostAvailability(ports.limits, ports.hostGivenUp)
    this.resolver = new CheckedResolver(createAddressGuard(order.network, localAddresses), this.signal)
    this.sizeLimit = new SizeLimit(order.maxZipBytes)
    this.diskSpace = new DiskSpace(dirname(this.partPath))
    this.file = ArchiveFile.open(this.partPath, held.entries.flatMap(spaceOf))
    const abort = (error: unknown) => this.abort(error)
    const commit: CommitCheckpoint = (changes, durable) => {
      // Counts are told before the rows that they count, so that they can be kept together.
      this.meter.flush()
      return ports.commit(changes, durable)
    }
    this.checkpointer = new Checkpointer(this.file, held.entries, commit, abort)
    this.memory = new MemoryBudget(ports.jobsRunning)
    this.blocks = new BlockQueue(this.file, ports.jobsRunning, (entry) => this.stored(entry), abort)
    const packed = this.checkpointer.storedEntries()
    this.meter = new ProgressMeter(
      ports.tell,
      packed.length,
      packed.reduce((sum, entry) => sum + zipBytes(entry), 0),
    )
    for (const { position, name, compressedBytes } of packed)
      this.#heldClaims.set(position, this.sizeLimit.claim(entryBytes(name, compressedBytes)))
  }

  stored(entry: StoredEntry): void {
    const { position, name, sizeBytes } = entry
    this.checkpointer.put(entry)
    this.meter.packed(zipBytes(entry))
    this.meter.entry({ position, status: 'stored', name, sizeBytes, error: null })
  }

  /** The URL can't be had. */
  failed(position: number, error: string): void {
    this.checkpointer.put({ status: 'failed', position, error })
    this.meter.entry({ position, status: 'failed', name: null, sizeBytes: 0, error })
  }

  /** Forgets entries of earlier runs, whose bytes are not what they were: they are to be fetched again. */
  async lose(entries: readonly StoredEntry[]): Promise<void> {
    await this.checkpointer.drop(...entries.map(({ position }) => position))
    for (const entry of entries) {
      const { position } = entry
      this.#heldClaims.get(position)?.release()
      for (const space of spaceOf(entry)) this.file.release(space)
      this.meter.lost(zipBytes(entry))
      this.meter.entry({ position, status: 'waiting', name: null, sizeBytes: 0, error: null })
    }
  }

  /** What an earlier run has received of a large body, to go on from. */
  earlier(position: number): IncomingBody | null {
    return this.#earlier.get(position) ?? null
  }

  /** Ends all that runs; of several errors the first is the one that counts. */
  abort(error: unknown): void {
    this.#error ??= error
    this.#aborter.abort(error)
  }

  /** Packs what has been received; gives the error that ended the job, if one did. */
  async settle(): Promise<unknown> {
    try {
      await this.blocks.drain()
    } catch (error) {
      this.#error ??= error
    }
    return this.#error
  }

  /** Makes the last batch durable, however the job ended: the error that ended it is the one that counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.blocks[Symbol.dispose]()
    await this.checkpointer.flush().catch(() => {})
    await this.checkpointer[Symbol.asyncDispose]()
    this.meter[Symbol.dispose]()
    this.file[Symbol.dispose]()
  }

  async #resumePartialEntries(): Promise<void> {
    for (const entry of this.checkpointer.partialEntries()) {
      const body = await InPlaceBody.resume(this, entry)
      if (body !== null) {
        this.#earlier.set(entry.position, body)
        continue
      }
      await this.checkpointer.drop(entry.position)
      for (const space of spaceOf(entry)) this.file.release(space)
    }
  }
}

function zipBytes(entry: StoredEntry): number {
  return entry.headerBytes + entry.compressedBytes
}
