import { availableParallelism } from 'node:os'

/** The processors, as the thread of a job sees them. */
export interface Processors {
  /** 0 where polling has not been measured. */
  readonly count: number
  /** A clock that never jumps. */
  nowMs(): number
  /** How long this thread has run on a processor. */
  ranMs(): number
}

/**
 * Keeps the thread of a job awake while responses arrive in quick succession: it looks for the next one instead of sleeping until
 * it is there. To wake a thread up takes longer than to pack a small file (decisions/0132). It does so only on a processor that
 * nobody else needs.
 */
export class BusyPolling {
  readonly #jobsRunning: () => number
  readonly #processors: Processors
  #lastResponseMs = -Infinity
  #isPolling = false
  #pausedUntilMs = -Infinity
  /** When the measurement began, by both clocks. */
  #since = { nowMs: 0, ranMs: 0 }
  /** How long the thread stayed awake since the last check, and how long it ran meanwhile. */
  #awakeMs = 0
  #ranMs = 0

  /** @param jobsRunning how many jobs share the processors, this one included */
  constructor(jobsRunning: () => number, processors: Processors = PROCESSORS) {
    this.#jobsRunning = jobsRunning
    this.#processors = processors
  }

  responseArrived(): void {
    const nowMs = this.#processors.nowMs()
    const isQuick = nowMs - this.#lastResponseMs < QUICK_MS
    this.#lastResponseMs = nowMs
    if (!isQuick || this.#isPolling || nowMs < this.#pausedUntilMs || !this.#areEnough()) return
    this.#isPolling = true
    this.#since = { nowMs, ranMs: this.#processors.ranMs() }
    setImmediate(this.#poll)
  }

  /** The event loop doesn't sleep while a callback waits for its next turn. */
  readonly #poll = (): void => {
    const nowMs = this.#processors.nowMs()
    this.#isPolling = nowMs - this.#lastResponseMs < QUICK_MS && this.#areEnough()
    if (!this.#isPolling || nowMs - this.#since.nowMs >= CHECK_MS) this.#check(nowMs)
    if (this.#isPolling) setImmediate(this.#poll)
  }

  /** Pauses when others use the processor: then the threads that the job waits for may be among them. */
  #check(nowMs: number): void {
    const ranMs = this.#processors.ranMs()
    this.#awakeMs += nowMs - this.#since.nowMs
    this.#ranMs += ranMs - this.#since.ranMs
    this.#since = { nowMs, ranMs }
    if (this.#awakeMs < CHECK_MS) return
    if (this.#ranMs < this.#awakeMs * LEAST_SHARE) {
      this.#pausedUntilMs = nowMs + PAUSE_MS
      this.#isPolling = false
    }
    this.#awakeMs = 0
    this.#ranMs = 0
  }

  #areEnough(): boolean {
    return this.#jobsRunning() * PROCESSORS_PER_JOB <= this.#processors.count
  }
}

const PROCESSORS: Processors = {
  // Measured on Linux alone. Windows counts the time of a thread in steps of 16 ms, which is too coarse for the check.
  count: process.platform === 'linux' ? availableParallelism() : 0,
  nowMs: () => performance.now(),
  ranMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}

/** As long as a fast host on the same network takes for its next response at most. Slower responses cost no processor time. */
const QUICK_MS = 0.5

/** One for the job, and one for the threads that it waits for: Bun's HTTP thread and, on the same machine, the host. */
const PROCESSORS_PER_JOB = 2

/** A few times as long as a system lets one thread run before another one has its turn. */
const CHECK_MS = 20

/** On an idle machine, the thread runs for nine tenths of the time, and beside one busy program for half of it. */
const LEAST_SHARE = 0.6

/** Ten checks: on a busy machine, a tenth of the time is spent on finding out. */
const PAUSE_MS = 200
