import { FetchFailure, zipSizeLimitText } from '../../fetching/attempts/fetch-failure.ts'
import { unpausedTimeout } from '../../time/unpaused-time.ts'
import type { EntryWarning } from '../checkpoint/checkpoint.ts'
import type { Checkpointer } from '../checkpoint/checkpointer.ts'
import { SourcesFailed } from '../job-failure.ts'
import { ZipSizeExceeded } from '../limits/size.ts'
import type { ProgressMeter } from '../progress-meter.ts'
import { loginWarning } from './login-warning.ts'

/** What the failures of sources use of the archive. */
export interface FailingArchive {
  readonly checkpointer: Pick<Checkpointer, 'known' | 'fail'>
  readonly meter: Pick<ProgressMeter, 'entry'>
  readonly signal: AbortSignal
  abort(error: unknown): void
}

/**
 * The sources of a job that failed: each is recorded, and they decide whether the job fails. With `failOnUrlError` it fails with its first
 * one. It goes on for a grace, which finds most dead links of a list in one run. Disposing of it ends the grace.
 */
export class FailedSources implements Disposable {
  readonly #archive: FailingArchive
  readonly #sourceCount: number
  readonly #failOnUrlError: boolean
  readonly #timers = new DisposableStack()
  #isInGrace = false

  constructor(archive: FailingArchive, sourceCount: number, failOnUrlError: boolean) {
    this.#archive = archive
    this.#sourceCount = sourceCount
    this.#failOnUrlError = failOnUrlError
  }

  /** An error of one source fails it. Any other ends the job. */
  add(position: number, error: unknown): void {
    if (error instanceof FetchFailure) {
      this.fail(position, error.text, loginWarning(error))
      return
    }
    if (error instanceof ZipSizeExceeded) this.fail(position, zipSizeLimitText(error.maxBytes))
    this.#archive.abort(error)
  }

  fail(position: number, error: string, warning: EntryWarning | null = null): void {
    const { checkpointer, meter } = this.#archive
    checkpointer.fail(position, error, warning)
    meter.entry({ ...NOTHING_OF_IT, position, status: 'failed', error, warning })
    if (!this.#failOnUrlError || this.#isInGrace) return
    this.#isInGrace = true
    this.#timers.use(unpausedTimeout(GRACE_MS, () => this.#archive.abort(new GraceOver())))
  }

  /** Whether the job can't complete any more, whatever becomes of the other sources. */
  haveFailedJob(): boolean {
    if (this.#failOnUrlError && this.#archive.checkpointer.known.failedCount() > 0) return true
    // If no source has answered, the old archive is as good as a new one.
    return this.#unansweredCount() === this.#sourceCount
  }

  /**
   * Call it when nothing is packed any more.
   * @throws SourcesFailed if too many sources have failed, and what has ended the job if that is something else
   */
  throwIfJobFailed(): void {
    this[Symbol.dispose]()
    const { checkpointer, signal } = this.#archive
    if (signal.aborted && !(signal.reason instanceof GraceOver)) throw signal.reason
    if (!this.haveFailedJob()) return
    const isOneTooMany = this.#failOnUrlError && checkpointer.known.failedCount() > 0
    const code = isOneTooMany ? 'URL_FAILED' : 'ALL_URLS_FAILED'
    throw new SourcesFailed(this.#unansweredCount(), this.#sourceCount, code)
  }

  [Symbol.dispose](): void {
    this.#timers.dispose()
  }

  /** Those that failed, and those of which the entry of the base is kept. */
  #unansweredCount(): number {
    const { checkpointer } = this.#archive
    return (
      checkpointer.known.failedCount() + checkpointer.known.stored().filter(({ kept }) => kept != null).length
    )
  }
}

const NOTHING_OF_IT = { name: null, sizeBytes: 0, expectedBytes: null, sha256: null } as const

/** Ends a job some time after the first failed URL, with which it fails. */
class GraceOver extends Error {}

/** Long enough to find most dead links of a list in one run. Bodies that are fetched meanwhile are kept. */
const GRACE_MS = 10_000
