import type { ArchiveCounts } from './checkpoint.ts'
import type { EntryProgress, JobProgress } from './job-order.ts'

/** Collects the progress of entries and reports it at most ten times per second. */
export class ProgressMeter implements Disposable {
  readonly #report: (progress: JobProgress) => void
  readonly #timer: ReturnType<typeof setInterval>
  readonly #changed = new Map<number, EntryProgress>()
  #fileCount: number
  #zipBytes: number
  #reusedCount: number
  #receivedBytes = 0

  /** @param packed what earlier runs of the job have packed */
  constructor(report: (progress: JobProgress) => void, packed: ArchiveCounts) {
    this.#report = report
    this.#fileCount = packed.fileCount
    this.#zipBytes = packed.zipBytes
    this.#reusedCount = packed.reusedCount
    this.#timer = setInterval(() => this.flush(), REPORT_INTERVAL_MS)
  }

  /** The status, name or size of an entry has changed. */
  entry(progress: EntryProgress): void {
    this.#changed.set(progress.position, progress)
  }

  received(bytes: number): void {
    this.#receivedBytes += bytes
  }

  /** These entries were added to the archive. */
  packed(added: ArchiveCounts): void {
    this.#fileCount += added.fileCount
    this.#zipBytes += added.zipBytes
    this.#reusedCount += added.reusedCount
  }

  /** These entries of an earlier run are damaged and no longer count. */
  lost(damaged: ArchiveCounts): void {
    this.#fileCount -= damaged.fileCount
    this.#zipBytes -= damaged.zipBytes
    this.#reusedCount -= damaged.reusedCount
  }

  get counts(): ArchiveCounts {
    return { fileCount: this.#fileCount, zipBytes: this.#zipBytes, reusedCount: this.#reusedCount }
  }

  /** Reports the entries that changed since the last report, if any. */
  flush(): void {
    if (this.#changed.size === 0) return
    const entries = [...this.#changed.values()]
    this.#changed.clear()
    this.#report({ ...this.counts, receivedBytes: this.#receivedBytes, entries })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.flush()
  }
}

const REPORT_INTERVAL_MS = 100
