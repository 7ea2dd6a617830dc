import type { EntryProgress, JobProgress } from './job-order.ts'

/** Gathers what happens to entries and tells it, at most ten times a second. */
export class ProgressMeter implements Disposable {
  readonly #tell: (progress: JobProgress) => void
  readonly #timer: ReturnType<typeof setInterval>
  readonly #changed = new Map<number, EntryProgress>()
  #fileCount: number
  #zipBytes: number
  #receivedBytes = 0

  /** @param fileCount, zipBytes what an earlier run of the job has packed */
  constructor(tell: (progress: JobProgress) => void, fileCount: number, zipBytes: number) {
    this.#tell = tell
    this.#fileCount = fileCount
    this.#zipBytes = zipBytes
    this.#timer = setInterval(() => this.flush(), TELL_INTERVAL_MS)
  }

  /** An entry whose state, name or size is new. */
  entry(progress: EntryProgress): void {
    this.#changed.set(progress.position, progress)
  }

  received(bytes: number): void {
    this.#receivedBytes += bytes
  }

  /** The archive has one more entry, of so many bytes with its headers. */
  packed(zipBytes: number): void {
    this.#fileCount += 1
    this.#zipBytes += zipBytes
  }

  /** An entry of an earlier run turned out to be damaged: it is not in the archive after all. */
  lost(zipBytes: number): void {
    this.#fileCount -= 1
    this.#zipBytes -= zipBytes
  }

  /** Tells what is new, if anything is. */
  flush(): void {
    if (this.#changed.size === 0) return
    const entries = [...this.#changed.values()]
    this.#changed.clear()
    this.#tell({
      fileCount: this.#fileCount,
      zipBytes: this.#zipBytes,
      receivedBytes: this.#receivedBytes,
      entries,
    })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.flush()
  }
}

const TELL_INTERVAL_MS = 100
