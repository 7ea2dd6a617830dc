import type { DivisibleBody, Traffic } from './lease.ts'

/**
 * Runs in the thread of the job, for one host. While clients download the archive that is packed, large bodies of the host arrive one after
 * the other, in URL order: an entry can be sent when it is whole, and when all arrive at once, all are whole at the end.
 *
 * The first body gets the connections that the later ones had. These are held back: they stop, wait, and go on where they were. The host
 * sees as many connections as without that. If all of them bring less of one body than they brought of several, that body is slow
 * for a reason of its own: then all arrive at once again for a while.
 */
export class BodyTurns {
  readonly #readerCount: () => number
  readonly #onTick: () => void
  readonly #onGivenUp: () => void
  readonly #stopping = new Set<DivisibleBody>()
  /** The positions of bodies that were slow for a reason of their own. */
  readonly #slow = new Set<number>()
  #pausedUntilMs = -Infinity
  /** What the host brought in the last windows, in bytes per second. */
  #rates: number[] = []
  /** What it brought before bodies took turns; null while no body waits for its turn. */
  #rateBefore: number | null = null
  /** That of the body whose turn it is. */
  #position = 0
  /** Runs while bodies wait for their turn: if the first one brings nothing, that must be noticed. */
  #timer: ReturnType<typeof setInterval> | null = null

  /**
   * @param readerCount how many clients download the archive now
   * @param onTick called several times per second while bodies wait for their turn
   * @param onGivenUp called when bodies arrive at once again
   */
  constructor(readerCount: () => number, onTick: () => void, onGivenUp: () => void) {
    this.#readerCount = readerCount
    this.#onTick = onTick
    this.#onGivenUp = onGivenUp
  }

  areTaken(nowMs: number): boolean {
    return this.#readerCount() > 0 && nowMs >= this.#pausedUntilMs
  }

  /** The body that gets the next connection; null if none is worth one. When a slow one is the first, no order brings it sooner. */
  first(bodies: ReadonlySet<DivisibleBody>, traffic: Traffic): DivisibleBody | null {
    let first: DivisibleBody | null = null
    for (const body of bodies) {
      if (this.#slow.has(body.position)) return null
      const isFirst = first === null || body.position < first.position
      if (isFirst && body.divisible(traffic).connections > 0) first = body
    }
    return first
  }

  /** Makes later bodies release their connections for the first one, if it has much left. */
  holdBackLater(bodies: ReadonlySet<DivisibleBody>, traffic: Traffic): void {
    const first = this.first(bodies, traffic)
    if (first === null) return
    this.#position = first.position
    const { bytes, connections } = first.divisible(traffic)
    if (bytes < traffic.streamBytesPerSecond * LEAST_SECONDS) return
    const later = [...bodies]
      .filter((body) => body.position > first.position && !this.#stopping.has(body))
      .sort((one, other) => other.position - one.position)
      .slice(0, Math.max(0, connections - this.#stopping.size))
    if (later.length === 0 || !this.#begin()) return
    for (const body of later) this.#stopping.add(body)
    for (const body of later) body.holdBack()
  }

  /** The body does not arrive any more, or waits for its turn. */
  ended(body: DivisibleBody): void {
    this.#stopping.delete(body)
  }

  /**
   * A window of a quarter of a second has ended.
   * @param rate what the host brought in it, in bytes per second
   * @param isAnyHeldBack whether bodies wait for their turn
   */
  measured(rate: number, isAnyHeldBack: boolean, nowMs: number): void {
    this.#rates.push(rate)
    if (this.#rates.length > KEPT_WINDOWS) this.#rates.shift()
    if (this.#rateBefore === null) return
    if (!isAnyHeldBack && this.#stopping.size === 0) {
      this.end()
      return
    }
    if (this.#rates.length < KEPT_WINDOWS) return
    if (meanOf(this.#rates.slice(-RATE_WINDOWS)) >= this.#rateBefore * LEAST_SHARE) return
    this.#slow.add(this.#position)
    this.end()
    this.#pausedUntilMs = nowMs + PAUSE_MS
    this.#onGivenUp()
  }

  /** No body waits for its turn any more. */
  end(): void {
    this.#rateBefore = null
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** False while the rate of all bodies is not known. */
  #begin(): boolean {
    if (this.#rateBefore !== null) return true
    if (this.#rates.length < FIRST_WINDOWS) return false
    this.#rateBefore = meanOf(this.#rates.slice(-RATE_WINDOWS))
    this.#rates = []
    this.#timer ??= setInterval(this.#onTick, TICK_MS)
    return true
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
}

const TICK_MS = 250
/** A body gets the connections of others while no connection fetches so many seconds of it: less is not worth a new connection. */
const LEAST_SECONDS = 6
/** In the first of them, connections are slow. */
const FIRST_WINDOWS = 4
/** At first, the new connections are slow, and what was on the way to the others fills the line. */
const KEPT_WINDOWS = 12
const RATE_WINDOWS = 6
/** Rates differ from second to second. A body that is slow for a reason of its own brings an eighth. */
const LEAST_SHARE = 0.5
/** A list of such bodies takes a twentieth longer. */
const PAUSE_MS = 60_000
