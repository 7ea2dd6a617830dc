import type { BodyFacts } from './bodies/incoming-body.ts'
import type { ArchiveCounts, StoredEntry } from './checkpoint/checkpoint.ts'
import type { DoneFraction } from './done-fraction.ts'
import type { EntryProgress, JobProgress } from './job-order.ts'

/** Collects the progress of entries and reports it at most ten times per second. */
export class ProgressMeter implements Disposable {
  readonly #report: (progress: JobProgress) => void
  readonly #timer: ReturnType<typeof setInterval>
  readonly #changed = new Map<number, EntryProgress>()
  readonly #done: DoneFraction
  #fileCount: number
  #zipBytes: number
  #reusedCount: number
  #warningCount: number
  #receivedBytes = 0

  /** @param packed what earlier runs of the job have packed */
  constructor(report: (progress: JobProgress) => void, packed: ArchiveCounts, done: DoneFraction) {
    this.#report = report
    this.#done = done
    this.#fileCount = packed.fileCount
    this.#zipBytes = packed.zipBytes
    this.#reusedCount = packed.reusedCount
    this.#warningCount = packed.warningCount
    this.#timer = setInterval(() => this.flush(), REPORT_INTERVAL_MS)
  }

  /** The status, name or size of an entry has changed. */
  entry(progress: EntryProgress): void {
    this.#changed.set(progress.position, progress)
    this.#done.update(progress)
  }

  /** So many bytes of a body have arrived. */
  fetching(
    { position, name, declaredBytes }: Pick<BodyFacts, 'position' | 'name' | 'declaredBytes'>,
    sizeBytes: number,
  ): void {
    const expectedBytes = declaredBytes
    const unknown = { sha256: null, error: null, warning: null }
    this.entry({ position, status: 'fetching', name, sizeBytes, expectedBytes, ...unknown })
  }

  received(bytes: number): void {
    this.#receivedBytes += bytes
  }

  /** This entry was added to the archive. */
  packed(entry: StoredEntry): void {
    this.#count(entry, 1)
  }

  /** This entry of an earlier run is damaged and no longer counts. */
  lost(entry: StoredEntry): void {
    this.#count(entry, -1)
  }

  get counts(): ArchiveCounts {
    return {
      fileCount: this.#fileCount,
      zipBytes: this.#zipBytes,
      reusedCount: this.#reusedCount,
      warningCount: this.#warningCount,
    }
  }

  /** Reports the entries that changed since the last report, if any. */
  flush(): void {
    if (this.#changed.size === 0) return
    const entries = [...this.#changed.values()]
    this.#changed.clear()
    const doneFraction = this.#done.value
    this.#report({ ...this.counts, receivedBytes: this.#receivedBytes, doneFraction, entries })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.flush()
  }

  #count({ headerBytes, compressedBytes, isReused, warning }: StoredEntry, factor: 1 | -1): void {
    this.#fileCount += factor
    this.#zipBytes += factor * (headerBytes + compressedBytes)
    if (isReused) this.#reusedCount += factor
    if (warning !== null) this.#warningCount += factor
  }
}

const REPORT_INTERVAL_MS = 100
