import type { ArchiveFile } from '../archive/archive-file.ts'
import { isBodyIntact } from '../archive/check-body.ts'
import { ReadWindow } from '../archive/read-window.ts'
import type { StoredEntry } from './checkpoint.ts'
import type { OpenJob } from './open-job.ts'

/**
 * Reads back what earlier runs have packed, while the rest is fetched: nobody watched the file since. What is not as
 * it was is forgotten, so that it can be fetched again. Disposing of it ends the reading.
 */
export class HeldVerification implements AsyncDisposable {
  readonly #ended = new AbortController()
  /** Positions of the entries that were damaged; never rejects, since an error of ours ends the job. */
  readonly lost: Promise<readonly number[]>

  constructor(job: OpenJob) {
    const signal = AbortSignal.any([job.signal, this.#ended.signal])
    this.lost = forgetDamaged(job, signal).catch((error) => {
      if (!signal.aborted) job.abort(error)
      return []
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort()
    await this.lost
  }
}

/** The entries whose bodies are not what their CRC-32 was made of, read from front to back. */
export async function damagedEntries(
  file: ArchiveFile,
  entries: readonly StoredEntry[],
  signal: AbortSignal,
): Promise<StoredEntry[]> {
  const window = new ReadWindow(file)
  const damaged: StoredEntry[] = []
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const body = { ...entry, bodyOffset: entry.offset + entry.headerBytes }
    if (!(await isBodyIntact(window, body, signal))) damaged.push(entry)
  }
  return damaged
}

async function forgetDamaged(job: OpenJob, signal: AbortSignal): Promise<readonly number[]> {
  const damaged = await damagedEntries(job.file, job.checkpointer.storedEntries(), signal)
  if (damaged.length > 0) await job.lose(damaged)
  return damaged.map(({ position }) => position)
}
