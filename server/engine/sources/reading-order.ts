/**
 * Runs in the thread of the job. Lets large bodies arrive one after the other, in URL order, where that costs nothing: then the beginning of
 * the archive can be sent while the rest arrives. When all arrive at once, all are whole at the end.
 *
 * Only while clients download the archive. When the rate of all bodies is steady, all but the first are no longer read for a trial.
 * If it brings about as much alone, because the line is the bound, it stays so. If not, because the host limits each
 * connection, twice as many are read, or all. Only bodies that can be resumed are held back: their hosts may close the connection.
 */
export class ReadingOrder implements Disposable {
  readonly #readerCount: () => number
  readonly #nowMs: () => number
  /** By position. */
  readonly #bodies = new Map<number, HeldBody>()
  #limit = Infinity
  #phase: 'measuring' | 'trying' | 'focused' = 'measuring'
  #rates: number[] = []
  #windowStartMs: number | null = null
  #windowBytes = 0
  /** What all bodies brought together, in bytes per second. */
  #rateOfAll = 0
  #nextTrialMs = -Infinity
  #pauseMs = FIRST_PAUSE_MS
  /** Runs while bodies are held back: if the others bring nothing, that must be noticed. */
  #timer: ReturnType<typeof setInterval> | null = null

  /**
   * @param readerCount how many clients download the archive now
   * @param nowMs a clock that never jumps
   */
  constructor(readerCount: () => number, nowMs: () => number) {
    this.#readerCount = readerCount
    this.#nowMs = nowMs
  }

  /** The body of this position arrives, until disposed of. */
  begin(position: number): Disposable {
    this.#bodies.set(position, { turn: Promise.withResolvers() })
    return {
      [Symbol.dispose]: () => {
        this.#bodies.get(position)?.turn.resolve()
        this.#bodies.delete(position)
        this.#wake()
      },
    }
  }

  [Symbol.dispose](): void {
    this.#enter('measuring', Infinity)
  }

  /** Bytes of a body have arrived. */
  received(bytes: number): void {
    const nowMs = this.#nowMs()
    this.#windowStartMs ??= nowMs
    this.#windowBytes += bytes
    const elapsedMs = nowMs - this.#windowStartMs
    if (elapsedMs < WINDOW_MS) return
    this.#rates.push((this.#windowBytes * 1000) / elapsedMs)
    if (this.#rates.length > KEPT_WINDOWS) this.#rates.shift()
    this.#windowStartMs = nowMs
    this.#windowBytes = 0
    this.#judge(nowMs)
  }

  /** Resolves when the body may be read on; null when it may now. */
  turn(position: number): Promise<void> | null {
    return this.#isAllowed(position) ? null : (this.#bodies.get(position)?.turn.promise ?? null)
  }

  #isAllowed(position: number): boolean {
    if (this.#limit === Infinity) return true
    let before = 0
    for (const other of this.#bodies.keys()) if (other < position) before += 1
    return before < this.#limit
  }

  #wake(): void {
    for (const [position, body] of this.#bodies) {
      if (!this.#isAllowed(position)) continue
      body.turn.resolve()
      body.turn = Promise.withResolvers()
    }
  }

  #judge(nowMs: number): void {
    if (this.#readerCount() === 0 || this.#bodies.size < 2) {
      this.#enter('measuring', Infinity)
      return
    }
    const rate = meanOf(this.#rates.slice(-RATE_WINDOWS))
    switch (this.#phase) {
      case 'measuring':
        if (nowMs < this.#nextTrialMs || !isSteady(this.#rates)) return
        this.#rateOfAll = rate
        this.#enter('trying', 1)
        break
      case 'trying':
        if (this.#rates.length >= TRIAL_WINDOWS) this.#endTrial(rate, nowMs)
        else if (this.#rates.length >= SHORT_TRIAL_WINDOWS && rate < this.#rateOfAll * HOPELESS_SHARE)
          this.#giveUp(nowMs)
        break
      case 'focused':
        if (this.#rates.length >= TRIAL_WINDOWS && rate < this.#rateOfAll * LEAST_SHARE) this.#giveUp(nowMs)
    }
  }

  #endTrial(rate: number, nowMs: number): void {
    if (rate >= this.#rateOfAll * WORTH_SHARE) {
      this.#pauseMs = FIRST_PAUSE_MS
      this.#enter('focused', this.#limit)
    } else if (rate >= this.#rateOfAll * LEAST_SHARE && this.#limit * 2 < this.#bodies.size) {
      this.#enter('trying', this.#limit * 2)
    } else {
      this.#giveUp(nowMs)
    }
  }

  #giveUp(nowMs: number): void {
    this.#nextTrialMs = nowMs + this.#pauseMs
    this.#pauseMs *= 2
    this.#enter('measuring', Infinity)
  }

  #enter(phase: 'measuring' | 'trying' | 'focused', limit: number): void {
    if (phase !== this.#phase || limit !== this.#limit) this.#rates = []
    this.#phase = phase
    this.#limit = limit
    if (limit !== Infinity) this.#timer ??= setInterval(() => this.received(0), WINDOW_MS)
    else if (this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    this.#wake()
  }
}

interface HeldBody {
  turn: PromiseWithResolvers<void>
}

/** Whether the last two windows brought about as much as the two before them. */
function isSteady(rates: readonly number[]): boolean {
  return (
    rates.length >= STARTING_WINDOWS + RATE_WINDOWS &&
    meanOf(rates.slice(-2)) <= meanOf(rates.slice(-4, -2)) * STEADY_GROWTH
  )
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const WINDOW_MS = 250
const RATE_WINDOWS = 4
/** In these, connections that have just begun are slow. */
const STARTING_WINDOWS = 2
const STEADY_GROWTH = 1.1
/** At first, what is held back still fills the buffers of the system, and takes its share of the line. */
const TRIAL_WINDOWS = 12
const SHORT_TRIAL_WINDOWS = 8
const KEPT_WINDOWS = 16
/** Alone, a body must bring this share of what all brought. */
const WORTH_SHARE = 0.85
/** With less, the host limits each connection, and twice as many bodies would not do either. */
const LEAST_SHARE = 0.6
/** Nothing better is to come. */
const HOPELESS_SHARE = 0.3
const FIRST_PAUSE_MS = 20_000
