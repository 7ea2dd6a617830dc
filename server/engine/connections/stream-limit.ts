/**
 * Runs in the thread of the job, for one host. How many large bodies and segments of large bodies ("streams") arrive from the host at
 * once: as many as bring more in all.
 *
 * Begins with `FIRST_STREAMS`. When so many arrive and their rate in all is steady, the limit is raised for a trial. If the rate
 * then grows by a good part of what the streams did, the host limits each connection, or the line loses packets: the limit stays,
 * and the next trial follows. Else the line is full, and the streams only delay each other: the limit goes back, and a smaller
 * trial follows much later.
 */
export class StreamLimit {
  #limit = FIRST_STREAMS
  #windowStartMs: number | null = null
  #windowBytes = 0
  /** Rates of the windows in which as many streams arrived as the limit allows, in bytes per second, since it was changed. */
  #rates: number[] = []
  #windowCount = 0
  #rate = 0
  #streamBytesPerSecond = 0
  /** The limit before the trial, and the rate that it brought; null if none is going on. */
  #before: { readonly limit: number; readonly rate: number } | null = null
  /** The last window with fewer streams than `FIRST_STREAMS`. */
  #fewer: { readonly streams: number; readonly rate: number } | null = null
  #growth = FIRST_GROWTH
  #nextTrialMs = -Infinity
  #pauseMs = FIRST_PAUSE_MS
  #quietUntilMs = -Infinity

  get limit(): number {
    return this.#limit
  }

  /** What all streams brought in the last window, in bytes per second. */
  get rate(): number {
    return this.#rate
  }

  /** What one stream brings, in bytes per second; 0 while that is not known. */
  get streamBytesPerSecond(): number {
    return this.#streamBytesPerSecond
  }

  /**
   * Whether streams are so slow that more of them may bring more. If not, this machine or the line is the bound. False for some time
   * after a complaint.
   */
  isWorthMore(nowMs: number): boolean {
    return (
      this.#windowCount >= FIRST_WINDOWS &&
      this.#streamBytesPerSecond < FAST_BYTES_PER_SECOND &&
      nowMs >= this.#quietUntilMs
    )
  }

  /**
   * Bytes of a stream have arrived.
   * @param isFull whether there are as many streams as the limit allows, counting connections whose responses have not begun
   * @returns whether a window has ended, which is the time to start more streams
   */
  received(bytes: number, { streams, isFull }: Streams, nowMs: number): boolean {
    this.#windowStartMs ??= nowMs
    this.#windowBytes += bytes
    const elapsedMs = nowMs - this.#windowStartMs
    if (elapsedMs < WINDOW_MS) return false
    const rate = (this.#windowBytes * 1000) / elapsedMs
    this.#windowStartMs = nowMs
    this.#windowBytes = 0
    this.#windowCount += 1
    this.#rate = rate
    this.#streamBytesPerSecond = rate / Math.max(streams, 1)
    if (isFull) {
      this.#judge(rate, nowMs)
    } else {
      this.#rates = []
      if (streams > 0 && streams < FIRST_STREAMS) this.#fewer = { streams, rate }
    }
    return true
  }

  /** The host has refused a connection, or broken it off before any byte. */
  complained(nowMs: number): void {
    this.#changeTo(Math.min(this.#limit, FIRST_STREAMS))
    this.#before = null
    this.#growth = LATER_GROWTH
    this.#quietUntilMs = nowMs + COMPLAINT_PAUSE_MS
  }

  #judge(rate: number, nowMs: number): void {
    this.#rates.push(rate)
    if (!isSteady(this.#rates)) return
    const steadyRate = mean(this.#rates.slice(-RATE_WINDOWS))
    if (this.#before === null) {
      if (nowMs < this.#nextTrialMs || !this.isWorthMore(nowMs)) return
      // More streams than before have brought more already, or are so slow that a line could hardly be full of them.
      const hasGrown =
        this.#fewer !== null && steadyRate >= this.#fewer.rate * this.#worthGrowth(this.#fewer.streams)
      const isFirst = this.#growth === FIRST_GROWTH
      if (hasGrown || (isFirst && this.#streamBytesPerSecond < SLOW_BYTES_PER_SECOND))
        this.#growth = NEXT_GROWTH
      this.#fewer = null
      this.#tryMore(steadyRate)
      return
    }
    const { limit, rate: rateBefore } = this.#before
    if (steadyRate >= rateBefore * this.#worthGrowth(limit)) {
      this.#pauseMs = FIRST_PAUSE_MS
      this.#growth = NEXT_GROWTH
      this.#tryMore(steadyRate)
    } else if (this.#rates.length >= TRIAL_WINDOWS) {
      this.#endTrial(limit, nowMs)
    }
  }

  /** By how much the rate must have grown since there were so many streams. */
  #worthGrowth(streams: number): number {
    return Math.max(LEAST_GROWTH, 1 + WORTH_SHARE * (this.#limit / streams - 1))
  }

  #endTrial(limit: number, nowMs: number): void {
    this.#changeTo(limit)
    this.#before = null
    this.#growth = LATER_GROWTH
    this.#nextTrialMs = nowMs + this.#pauseMs
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #tryMore(rate: number): void {
    const limit = Math.min(Math.ceil(this.#limit * this.#growth), MAX_STREAMS)
    this.#before = limit === this.#limit ? null : { limit: this.#limit, rate }
    this.#changeTo(limit)
  }

  #changeTo(limit: number): void {
    this.#limit = limit
    this.#rates = []
  }
}

/** What arrives now. */
interface Streams {
  readonly streams: number
  readonly isFull: boolean
}

/** Whether the last two windows brought about as much as the two before them, or the time is up. */
function isSteady(rates: readonly number[]): boolean {
  if (rates.length < STARTING_WINDOWS + RATE_WINDOWS) return false
  return (
    rates.length >= UNSTEADY_WINDOWS || mean(rates.slice(-2)) <= mean(rates.slice(-4, -2)) * STEADY_GROWTH
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** What a host gets without a measurement. */
const FIRST_STREAMS = 8
/** As many as `--connections` allows by default. */
const MAX_STREAMS = 64
const WINDOW_MS = 250
/** The first window contains the slow start of the first connection. */
const FIRST_WINDOWS = 2
/** A rate that grows by less in two windows is steady. */
const STEADY_GROWTH = 1.1
/** Loss on a line may keep the rate from being steady. */
const UNSTEADY_WINDOWS = 12
/** In these, streams that have just begun are slow. */
const STARTING_WINDOWS = 2
/** A rate is the mean of so many windows. */
const RATE_WINDOWS = 4
/** A trial fails after so many windows. To end one too early costs more than to end it too late. */
const TRIAL_WINDOWS = 8
/**
 * New streams on a full line cost all of them packets, and then it takes TCP ten seconds to be as fast as before. So the first trial
 * is a small one.
 */
const FIRST_GROWTH = 1.5
/** After a trial that was worth it, and after one that was not. */
const NEXT_GROWTH = 2
const LATER_GROWTH = 1.25
/** A trial was worth it if it brought this share of what as many more streams would bring at best. */
const WORTH_SHARE = 0.2
/** Less may be chance. */
const LEAST_GROWTH = 1.15
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 80_000
const COMPLAINT_PAUSE_MS = 30_000
const SLOW_BYTES_PER_SECOND = 1024 * 1024
/** 16 MiB/s: a hundredth of what a processor receives. Two of them fill most lines. */
const FAST_BYTES_PER_SECOND = 16 * 1024 * 1024
