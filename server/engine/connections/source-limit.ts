/**
 * Runs in the thread of the job, for one host. How many connections the job uses at once for sources whose bodies are not large: as
 * many as bring more sources per second in all.
 *
 * A wave is as many answers as the limit allows connections. The limit begins with `FIRST_CONNECTIONS`, and doubles with each wave that
 * brings more than the one before. When a wave brings no more, the host, the line or this machine is the bound, and the requests only
 * wait for each other: the limit is halved while that loses nothing. Twice as many are tried again much later.
 */
export class SourceLimit {
  readonly #most: number
  #limit: number
  /** When the wave began; null while no source waits for a connection, so that there may be fewer than the limit. */
  #startMs: number | null = null
  #answerCount = 0
  #phase: Phase = 'growing'
  /** The rate to compare a wave with, in sources per second. */
  #rateBefore = 0
  /** Waves of the phase that have not brought more, or not shown yet what the limit brings. */
  #missCount = 0
  #nextTrialMs = 0
  #pauseMs = FIRST_PAUSE_MS

  /** @param most the most connections that the host ever gets */
  constructor(most: number) {
    this.#most = most
    this.#limit = Math.min(FIRST_CONNECTIONS, most)
  }

  get limit(): number {
    return this.#limit
  }

  /** A connection was granted. */
  began(nowMs: number): void {
    if (this.#rateBefore === 0) this.#startMs ??= nowMs
  }

  /**
   * A source was answered, well or with an error of its own.
   * @param isFull whether further sources wait for a connection
   */
  answered(isFull: boolean, nowMs: number): void {
    if (!isFull || this.#startMs === null) {
      this.#startMs = isFull ? nowMs : null
      this.#answerCount = 0
      return
    }
    this.#answerCount += 1
    if (this.#answerCount < this.#limit) return
    const waveMs = nowMs - this.#startMs
    this.#startMs = nowMs
    this.#answerCount = 0
    if (waveMs < NEAR_MS) this.#growNear(nowMs)
    else this.#judge((this.#limit * 1000) / waveMs, nowMs)
  }

  /** The host has refused a connection, or broken it off before any byte. */
  complained(nowMs: number): void {
    this.#settle(Math.min(this.#limit, FIRST_CONNECTIONS), nowMs + COMPLAINT_PAUSE_MS)
  }

  #growNear(nowMs: number): void {
    const limit = Math.min(this.#limit * 2, MOST_OF_NEAR, this.#most)
    this.#settle(Math.max(this.#limit, limit), nowMs + this.#pauseMs)
  }

  #judge(rate: number, nowMs: number): void {
    if (this.#phase === 'settled') {
      if (nowMs >= this.#nextTrialMs) this.#tryAnother(rate)
    } else if (this.#phase === 'shrinking') {
      this.#shrink(rate, nowMs)
    } else if (rate >= this.#rateBefore * WORTH) {
      this.#grow(rate, nowMs)
    } else if (++this.#missCount === MISSES) {
      if (this.#phase === 'growing') this.#enter('shrinking', this.#half, rate)
      else this.#endTrial(this.#half, nowMs)
    }
  }

  #tryAnother(rate: number): void {
    if (this.#limit < this.#most) this.#enter('trying', this.#limit * 2, rate)
    else this.#enter('shrinking', this.#half, rate)
  }

  #grow(rate: number, nowMs: number): void {
    this.#pauseMs = FIRST_PAUSE_MS
    if (this.#limit < this.#most) this.#enter(this.#phase, this.#limit * 2, rate)
    else this.#settle(this.#limit, nowMs + this.#pauseMs)
  }

  #shrink(rate: number, nowMs: number): void {
    // The first wave still has the requests of more connections.
    if (++this.#missCount === 1) return
    if (rate < this.#rateBefore / WORTH) this.#endTrial(this.#limit * 2, nowMs)
    else if (this.#limit === this.#half) this.#endTrial(this.#limit, nowMs)
    else this.#enter('shrinking', this.#half, this.#rateBefore)
  }

  #endTrial(limit: number, nowMs: number): void {
    this.#settle(limit, nowMs + this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
  }

  #settle(limit: number, nextTrialMs: number): void {
    this.#enter('settled', limit, this.#rateBefore)
    this.#nextTrialMs = nextTrialMs
  }

  #enter(phase: Phase, limit: number, rateBefore: number): void {
    this.#phase = phase
    this.#limit = Math.min(limit, this.#most)
    this.#rateBefore = rateBefore
    this.#missCount = 0
  }

  get #half(): number {
    return Math.max(this.#limit >> 1, Math.min(FIRST_CONNECTIONS, this.#most))
  }
}

/**
 * `growing` from the first connection on. When a wave brings no more, `shrinking` while that loses nothing. Then `settled`, and from time
 * to time `trying` more, or, when it has the most, `shrinking`.
 */
type Phase = 'growing' | 'shrinking' | 'settled' | 'trying'

/** What a host gets without a measurement: enough for speed, few enough not to burden an unknown host. */
const FIRST_CONNECTIONS = 8
/**
 * When sources are answered sooner than this, more connections bring little, since this machine is the bound, and a wave is too short to
 * be measured.
 */
const NEAR_MS = 10
/** At 10 ms, so many connections bring 3,200 sources per second. */
const MOST_OF_NEAR = 32
/** Twice as many connections must bring this much more. */
const WORTH = 1.25
/** Sources differ, and a wave of eight tells little: the next one must agree. */
const MISSES = 2
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 80_000
const COMPLAINT_PAUSE_MS = 30_000
