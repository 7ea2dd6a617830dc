import { existsSync } from 'node:fs'
import { ArchiveFile } from '../archive/archive-file.ts'
import { closeGaps } from '../archive/close-gaps.ts'
import {
  absorbGaps,
  completeArchive,
  hasFinalDirectory,
  hasFinalHeaders,
} from '../archive/complete-archive.ts'
import { numberDuplicates } from '../archive/entry-name.ts'
import { renameDurably } from '../files/durable.ts'
import type { StoredEntry } from './checkpoint.ts'
import { spacesOf } from './checkpoint-spaces.ts'
import { damagedEntries } from './entry-verification.ts'
import { type FinalPlace, type JobOrder, type JobOutcome, partPathOf } from './job-order.ts'
import type { OpenJob } from './open-job.ts'

/** Finishes the archive of a job when all its sources are packed or failed, and renames it to its final name. */
export async function completeJob(order: JobOrder, job: OpenJob): Promise<JobOutcome> {
  const { checkpointer, file, sizeLimit } = job
  if (file.gaps.length > 0) {
    // Moves update the committed offsets, so all entries must be committed first.
    await checkpointer.flush()
    await closeGaps(file, checkpointer.locations(), checkpointer, job.signal)
  }
  job.memory.collect()
  const entries = checkpointer.storedEntries()
  const final = finalEntries(file, entries)
  // An earlier run that crashed while finishing may have written a number that the name no longer needs.
  const isHeaderRight = (entry: StoredEntry) =>
    checkpointer.entry(entry.position) === entry && checkpointer.isPackedByThisRun(entry.position)
  const zipBytes = completeArchive(file, final, isHeaderRight, (bytes) => sizeLimit.check(bytes))
  // The last bodies and the central directory share one sync.
  await checkpointer.flush()
  renameDurably(job.partPath, order.archivePath)
  return { status: 'completed', fileCount: entries.length, zipBytes, changed: changedPlaces(entries, final) }
}

/**
 * Finds the finished archive of a run that crashed before it could report its end. A damaged archive becomes a `.part` file
 * again, so that its intact entries need not be fetched again.
 */
export async function findCompleted(order: JobOrder, stop: AbortSignal): Promise<JobOutcome | null> {
  const { entries, move } = order.checkpoint
  const stored = entries.filter((entry) => entry.status === 'stored').sort((a, b) => a.position - b.position)
  const isSettled = move === null && entries.every((entry) => entry.status !== 'partial')
  if (!isSettled || stored.length === 0 || !existsSync(order.archivePath)) return null
  if (entries.length !== order.sources.length) return null
  const found = await verifyArchive(order.archivePath, stored, stop)
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
  stop: AbortSignal,
): Promise<{ isIntact: boolean; zipBytes: number; changed: FinalPlace[] } | null> {
  using file = ArchiveFile.open(path, stored.flatMap(spacesOf))
  const final = finalEntries(file, stored)
  if (!hasFinalDirectory(file, final)) return null
  const damaged = await damagedEntries(file, stored, stop)
  const isIntact = damaged.length === 0 && hasFinalHeaders(file, final)
  return { isIntact, zipBytes: file.fileBytes, changed: changedPlaces(stored, final) }
}

/**
 * The entries as the directory will list them: the same objects, unless their name or place changes. Duplicates are numbered in
 * URL order, so the same responses give the same names, in whatever order they arrive.
 */
function finalEntries(file: ArchiveFile, entries: readonly StoredEntry[]): StoredEntry[] {
  const names = numberDuplicates(entries.map(({ name }) => name))
  const final = entries.map((entry, index) => {
    const name = names[index] ?? entry.name
    return name === entry.name ? entry : { ...entry, name }
  })
  return absorbGaps(file, final)
}

/** The entries whose names were numbered or whose local headers were extended, compared with the checkpoint. */
function changedPlaces(entries: readonly StoredEntry[], final: readonly StoredEntry[]): FinalPlace[] {
  return final
    .filter((entry, index) => entry !== entries[index])
    .map(({ position, name, offset, headerBytes }) => ({ position, name, offset, headerBytes }))
}
