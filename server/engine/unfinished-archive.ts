import { dirname } from 'node:path'
import { ArchiveFile } from '../archive/file.ts'
import { resumeMove } from '../archive/gaps/byte-move.ts'
import { syncDirectory } from '../files/durable.ts'
import { Garbage } from '../garbage.ts'
import { BlockQueue } from './bodies/block-queue.ts'
import { Helpers } from './bodies/helpers.ts'
import { removeSpools } from './bodies/spooled.ts'
import type {
  ArchiveCounts,
  CheckpointChange,
  CheckpointEntry,
  CommitChanges,
  PartialEntry,
  StoredEntry,
} from './checkpoint/checkpoint.ts'
import { Checkpointer } from './checkpoint/checkpointer.ts'
import { spacesOf, validateCheckpoint } from './checkpoint/spaces.ts'
import { DoneFraction } from './done-fraction.ts'
import type { JobEnvironment } from './job-environment.ts'
import { type JobOrder, partPathOf } from './job-order.ts'
import { DiskSpace } from './limits/disk.ts'
import { MemoryBudget } from './limits/memory.ts'
import { SizeLimit } from './limits/size.ts'
import { isOfManifest } from './manifest/add-manifest.ts'
import { ProgressMeter } from './progress-meter.ts'

/**
 * The archive of a running job while entries are added to it: its file, its checkpoint, its limits and its progress. Disposing of it
 * commits the last batch. `runJob` alone has all of it: whoever it is handed to names in a type of its own which parts it uses.
 */
export interface UnfinishedArchive extends AsyncDisposable, RunSignal {
  readonly partPath: string
  readonly file: ArchiveFile
  readonly checkpointer: Checkpointer
  readonly blocks: BlockQueue
  readonly helpers: Helpers
  readonly sizeLimit: SizeLimit
  readonly diskSpace: DiskSpace
  readonly memory: MemoryBudget
  readonly garbage: Garbage
  readonly meter: ProgressMeter
  /** Records a whole entry, which has been written to the file. */
  stored(entry: StoredEntry): void
  /** Drops entries that are damaged, doubtful or no longer wanted, so that they are fetched again. */
  dropStored(entries: readonly StoredEntry[]): Promise<void>
  /** Drops an in-place body that can't be resumed. */
  dropPartial(entry: PartialEntry): Promise<void>
}

/** The end of one run of a job. */
export interface RunSignal {
  /** Aborted by `abort`, and when the job is stopped. */
  readonly signal: AbortSignal
  /** Ends everything that runs. Only the first error counts. */
  abort(error: unknown): void
}

/**
 * Opens the file, drops the rows that it is too short for, and completes a move of bytes that a crash interrupted. When a part can't be
 * opened, those before it are closed.
 */
export async function openUnfinishedArchive(
  order: JobOrder,
  environment: JobEnvironment,
  run: RunSignal,
): Promise<UnfinishedArchive> {
  const partPath = partPathOf(order)
  await removeSpools(partPath)
  const { checkpoint, manifest } = withoutManifest(order)
  const { valid, lost } = validateCheckpoint(checkpoint, partPath)
  if (manifest.length + lost.length > 0) {
    const changes: CheckpointChange[] = [...manifest, ...lost].map((position) => ({ kind: 'drop', position }))
    const { entries, settledBytes } = valid
    if (settledBytes < checkpoint.settledBytes) changes.unshift({ kind: 'settle', settledBytes, places: [] })
    await environment.commit({ changes, durable: true, counts: countsOf(entries) })
  }

  await using parts = new AsyncDisposableStack()
  const diskSpace = new DiskSpace(dirname(partPath))
  const file = parts.use(ArchiveFile.open(partPath, valid.entries.flatMap(spacesOf)))
  const meter = parts.use(
    new ProgressMeter(
      (progress) => environment.progress(progress),
      countsOf(valid.entries),
      new DoneFraction(order.sources.length, valid.entries),
    ),
  )
  const commit: CommitChanges = (changes, durable) =>
    environment.commit({ changes, durable, counts: meter.counts })
  const checkpointer = parts.use(new Checkpointer(file, valid, commit, run.abort))
  // However the job ended, its last batch is committed. An error here must not replace the one that ended the job.
  parts.defer(() => checkpointer.flush().catch(() => {}))
  const stored = (entry: StoredEntry) => {
    const { position, name, sizeBytes, sha256, warning } = entry
    checkpointer.put(entry)
    meter.packed(entry)
    if (isOfManifest(position, order.sources)) return
    const progress = { position, status: 'stored', name, sizeBytes, expectedBytes: null } as const
    meter.entry({ ...progress, sha256, error: null, warning })
  }
  const jobsRunning = () => environment.jobsRunning()
  const blocks = parts.use(new BlockQueue(file, jobsRunning, stored, run.abort))
  const helpers = parts.use(new Helpers(environment.connectHelpers, run.signal))

  const sizeLimit = new SizeLimit(order.maxZipBytes)
  for (const { name, compressedBytes } of checkpointer.known.stored()) sizeLimit.claim(name, compressedBytes)
  syncDirectory(dirname(partPath))
  if (valid.move !== null) {
    await resumeMove(file, valid.move, checkpointer, run.signal)
    file.setTaken(checkpointer.known.spaces())
  }
  const memory = new MemoryBudget(jobsRunning)
  const opened = parts.move()
  return {
    signal: run.signal,
    abort: run.abort,
    partPath,
    file,
    checkpointer,
    blocks,
    helpers,
    sizeLimit,
    diskSpace,
    memory,
    garbage: new Garbage(jobsRunning, () => memory.heldBytes),
    meter,
    stored,
    async dropStored(entries) {
      // An entry that is moved meanwhile would come back.
      await checkpointer.endSettling()
      await checkpointer.drop(...entries.map(({ position }) => position))
      for (const entry of entries) {
        const { position } = entry
        sizeLimit.giveBack(entry)
        for (const space of spacesOf(entry)) file.release(space)
        meter.lost(entry)
        meter.entry({ ...WAITING, position })
      }
    },
    async dropPartial(entry) {
      await checkpointer.drop(entry.position)
      for (const space of spacesOf(entry)) file.release(space)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The manifest of an earlier run that did not end is made again: the entries that it lists may change. */
function withoutManifest({ checkpoint, sources }: JobOrder) {
  const isOfUrl = ({ position }: CheckpointEntry) => !isOfManifest(position, sources)
  const manifest = checkpoint.entries.filter((entry) => !isOfUrl(entry)).map(({ position }) => position)
  return { checkpoint: { ...checkpoint, entries: checkpoint.entries.filter(isOfUrl) }, manifest }
}

const WAITING = {
  status: 'waiting',
  name: null,
  sizeBytes: 0,
  expectedBytes: null,
  sha256: null,
  error: null,
  warning: null,
} as const

function countsOf(entries: readonly CheckpointEntry[]): ArchiveCounts {
  const stored = entries.filter((entry) => entry.status === 'stored')
  return {
    fileCount: stored.length,
    zipBytes: stored.reduce(
      (sum, { headerBytes, compressedBytes }) => sum + headerBytes + compressedBytes,
      0,
    ),
    reusedCount: stored.filter(({ isReused }) => isReused).length,
    warningCount: stored.filter(({ warning }) => warning !== null).length,
  }
}
