import { existsSync } from 'node:fs'
import { completeArchive, hasFinalHeaders } from '../archive/complete.ts'
import { hasDirectory } from '../archive/directory.ts'
import { ArchiveFile } from '../archive/file.ts'
import { closeGaps, type MoveJournal } from '../archive/gaps/close-gaps.ts'
import { renameDurably } from '../files/durable.ts'
import { damagedEntries } from './base/verification.ts'
import type { StoredEntry } from './checkpoint/checkpoint.ts'
import type { Checkpointer } from './checkpoint/checkpointer.ts'
import { finalEntries, placeOf } from './checkpoint/final-entries.ts'
import { spacesOf } from './checkpoint/spaces.ts'
import { type FinalPlace, type JobOrder, type JobOutcome, partPathOf } from './job-order.ts'
import { type ArchiveWithManifest, addManifest } from './manifest/add-manifest.ts'
import { MANIFEST_NAMES } from './manifest/manifest.ts'

/** Finishes the archive of a job when all its sources are packed or failed, and renames it to its final name. */
export async function completeJob(order: JobOrder, archive: ArchiveToComplete): Promise<JobOutcome> {
  const { partPath, checkpointer, file, sizeLimit, signal } = archive
  // A job of which nothing is settled yet is short: settling it now would add a sync and a durable commit.
  if (checkpointer.settledBytes > 0) await checkpointer.flush()
  // What is not settled by now changes until the archive is complete.
  await checkpointer.endSettling()
  if (file.gaps.length > 0) {
    // Moves update the committed offsets, so all entries must be committed first.
    await checkpointer.flush()
    await closeGaps(file, checkpointer.known.locations(), checkpointer, signal)
  }
  const { settledBytes } = checkpointer
  if (order.hasManifest) await addManifest(order.sources, archive)
  const { all, changed, unchanged } = finalEntries(file, checkpointer.known.stored(), settledBytes)
  const uncertainPositions = checkpointer.known.uncertainPositions()
  const uncertain = unchanged.filter(({ position }) => uncertainPositions.has(position))
  const checkLength = (bytes: number) => sizeLimit.check(bytes)
  const zipBytes = await completeArchive(file, all, changed, uncertain, checkLength)
  // The last bodies and the central directory share one sync.
  await checkpointer.flush()
  renameDurably(partPath, order.archivePath)
  return { status: 'completed', fileCount: all.length, zipBytes, changed: changed.map(placeOf) }
}

/** What completing a job uses of its archive. */
interface ArchiveToComplete extends ArchiveWithManifest {
  readonly file: ArchiveFile
  readonly checkpointer: ArchiveWithManifest['checkpointer'] &
    MoveJournal &
    Pick<Checkpointer, 'flush' | 'endSettling'>
}

/**
 * Finds the finished archive of a run that crashed before it could report its end. A damaged archive becomes a `.part` file
 * again, so that its intact entries need not be fetched again.
 */
export async function findCompleted(order: JobOrder, stop: AbortSignal): Promise<JobOutcome | null> {
  const { entries, move, settledBytes } = order.checkpoint
  const stored = entries.filter((entry) => entry.status === 'stored')
  const isAtRest = move === null && entries.every((entry) => entry.status !== 'partial')
  if (!isAtRest || stored.length === 0 || !existsSync(order.archivePath)) return null
  const manifestLength = order.hasManifest ? MANIFEST_NAMES.length : 0
  if (entries.length !== order.sources.length + manifestLength) return null
  const found = await verifyArchive(order.archivePath, stored, settledBytes, stop)
  if (found === null) return null
  if (!found.isIntact) {
    renameDurably(order.archivePath, partPathOf(order))
    return null
  }
  const { zipBytes, changed } = found
  return { status: 'completed', fileCount: stored.length, zipBytes, changed }
}

/** Null when the file is not an archive of these entries. */
async function verifyArchive(
  path: string,
  stored: readonly StoredEntry[],
  settledBytes: number,
  stop: AbortSignal,
): Promise<{ isIntact: boolean; zipBytes: number; changed: FinalPlace[] } | null> {
  using file = ArchiveFile.open(path, stored.flatMap(spacesOf))
  const { all, changed } = finalEntries(file, inUrlOrder(stored), settledBytes)
  if (!(await hasDirectory(file, all))) return null
  const damaged = await damagedEntries(file, stored, stop)
  const isIntact = damaged.length === 0 && (await hasFinalHeaders(file, all))
  return { isIntact, zipBytes: file.fileBytes, changed: changed.map(placeOf) }
}

function inUrlOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  return entries.toSorted((a, b) => a.position - b.position)
}
