import type { ArchiveReader } from '../../archive/reading/reader.ts'
import { isIntact } from '../../archive/reading/verify.ts'
import { inWindows } from '../../archive/reading/windows.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'

/** What the verification uses of the archive. */
export interface ArchiveToVerify {
  readonly file: ArchiveReader
  readonly checkpointer: Pick<Checkpointer, 'known'>
  readonly signal: AbortSignal
  dropStored(entries: readonly StoredEntry[]): Promise<void>
  abort(error: unknown): void
}

/**
 * Reads back the entries of earlier runs while the rest is fetched, since the file may have changed between the runs.
 * Damaged entries are dropped from the checkpoint, so that they can be fetched again. Disposing of it stops the reading.
 */
export class EntryVerification implements AsyncDisposable {
  readonly #stopped = new AbortController()
  /** Positions of the damaged entries. Never rejects: an internal error aborts the job. */
  readonly damaged: Promise<readonly number[]>

  constructor(archive: ArchiveToVerify) {
    const signal = AbortSignal.any([archive.signal, this.#stopped.signal])
    this.damaged = dropDamaged(archive, signal).catch((error) => {
      if (!signal.aborted) archive.abort(error)
      return []
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.damaged
  }
}

/** The entries whose bodies don't have their CRC-32, read from front to back. */
export async function damagedEntries(
  file: ArchiveReader,
  entries: readonly StoredEntry[],
  signal: AbortSignal,
): Promise<StoredEntry[]> {
  const reader = inWindows(file)
  const damaged: StoredEntry[] = []
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset))
    if (!(await isIntact(reader, entry, signal))) damaged.push(entry)
  return damaged
}

async function dropDamaged(archive: ArchiveToVerify, signal: AbortSignal): Promise<readonly number[]> {
  const damaged = await damagedEntries(archive.file, archive.checkpointer.known.stored(), signal)
  if (damaged.length > 0) await archive.dropStored(damaged)
  return damaged.map(({ position }) => position)
}
