import { availableParallelism } from 'node:os'

/**
 * Keeps the thread of a job awake while responses arrive in quick succession: it looks for the next one instead of sleeping until
 * it is there. To wake a thread up takes longer than to pack a small file (decisions/0132).
 */
export class BusyPolling {
  readonly #jobsRunning: () => number
  readonly #processors: number
  readonly #nowMs: () => number
  #lastResponseMs = -Infinity
  #isPolling = false

  /**
   * @param jobsRunning how many jobs share the processors, this one included
   * @param nowMs a clock that never jumps
   */
  constructor(
    jobsRunning: () => number,
    processors = availableParallelism(),
    nowMs = () => performance.now(),
  ) {
    this.#jobsRunning = jobsRunning
    this.#processors = processors
    this.#nowMs = nowMs
  }

  responseArrived(): void {
    const nowMs = this.#nowMs()
    const isQuick = nowMs - this.#lastResponseMs < QUICK_MS
    this.#lastResponseMs = nowMs
    if (!isQuick || this.#isPolling) return
    this.#isPolling = true
    this.#poll()
  }

  /** The event loop doesn't sleep while a callback waits for its next turn. */
  readonly #poll = (): void => {
    const isRecent = this.#nowMs() - this.#lastResponseMs < QUICK_MS
    this.#isPolling = isRecent && this.#areProcessorsFree()
    if (this.#isPolling) setImmediate(this.#poll)
  }

  #areProcessorsFree(): boolean {
    return this.#jobsRunning() * PROCESSORS_PER_JOB <= this.#processors
  }
}

/** As long as a fast host on the same network takes for its next response at most. A slow one costs no processor time. */
const QUICK_MS = 0.5

/** One for the job, and one for the threads that it waits for: Bun's HTTP thread and, on the same machine, the host. */
const PROCESSORS_PER_JOB = 2
