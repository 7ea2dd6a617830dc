import { BodyTurns } from './body-turns.ts'
import type { DivisibleBody, Traffic } from './lease.ts'

/**
 * Runs in the thread of the job, for one host: the large bodies that further connections can fetch, and which of them gets the next one.
 * That is the one with the most bytes left, or, while they take turns, the first.
 */
export class DivisibleBodies {
  readonly #bodies = new Set<DivisibleBody>()
  readonly #turns: BodyTurns
  #isStopped = false

  /**
   * @param readerCount how many clients download the archive now
   * @param onTick called several times per second while bodies wait for their turn
   * @param onGivenUp called when bodies arrive at once again
   */
  constructor(readerCount: () => number, onTick: () => void, onGivenUp: () => void) {
    this.#turns = new BodyTurns(readerCount, onTick, onGivenUp)
  }

  get count(): number {
    return this.#bodies.size
  }

  /** Whether the host does not give parts of bodies as it was asked. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** No further part is asked for. */
  stop(): void {
    this.#isStopped = true
  }

  /** Adds a body, until it is disposed of. */
  add(body: DivisibleBody): Disposable {
    this.#bodies.add(body)
    return {
      [Symbol.dispose]: () => {
        this.#bodies.delete(body)
        this.#turns.ended(body)
      },
    }
  }

  /** Null if no body is worth a connection. */
  next(traffic: Traffic): DivisibleBody | null {
    const first = traffic.isInTurns ? this.#turns.first(this.#bodies, traffic) : null
    if (first !== null) return first
    let most: DivisibleBody | null = null
    let mostBytes = 0
    for (const body of this.#bodies) {
      const { bytes, connections } = body.divisible(traffic)
      if (connections > 0 && bytes > mostBytes) [most, mostBytes] = [body, bytes]
    }
    return most
  }

  /** The body whose turn it is, if its source comes before the one at this position: it gets the connection of that one. */
  before(position: number, traffic: Traffic): DivisibleBody | null {
    if (!traffic.isInTurns) return null
    const body = this.#turns.first(this.#bodies, traffic)
    return body !== null && body.position < position ? body : null
  }

  /** How many more connections all bodies are worth. */
  wantedConnections(traffic: Traffic): number {
    let wanted = 0
    for (const body of this.#bodies) wanted += body.divisible(traffic).connections
    return wanted
  }

  /** Whether bodies may take turns, as far as that depends on clients, and on how it went before. */
  mayTakeTurns(nowMs: number): boolean {
    return !this.#isStopped && this.#turns.areTaken(nowMs)
  }

  /** While bodies take turns, makes later ones release their connections for the first. */
  holdBackLater(traffic: Traffic): void {
    if (traffic.isInTurns) this.#turns.holdBackLater(this.#bodies, traffic)
  }

  /** As `BodyTurns.measured`. */
  measured(rate: number, isAnyHeldBack: boolean, nowMs: number): void {
    this.#turns.measured(rate, isAnyHeldBack, nowMs)
  }

  /** The job has ended. */
  end(): void {
    this.#turns.end()
  }
}
