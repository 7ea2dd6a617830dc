/**
 * Runs in the thread of the job. Counts the large bodies that arrive from one host, and estimates how many more will begin. A
 * connection whose response has not begun counts as a fraction of a large body: the share of large bodies among the host's last
 * bodies. Otherwise, all connections to a host that sends only large bodies would wait for responses at the same time, and all
 * would be large.
 */
export class LargeBodies {
  #arriving = 0
  /** The share of large bodies among the last bodies. Until the first body is known, all count as large. */
  #share = 1
  #observed = 0

  /** Whether most of the last bodies were large. */
  get areUsual(): boolean {
    return this.#share >= 0.5
  }

  /** How many arrive now. */
  get arriving(): number {
    return this.#arriving
  }

  /** How many large bodies are expected on so many connections to the host, including those on which they arrive. */
  expectedOn(connections: number): number {
    return this.#arriving + (connections - this.#arriving) * this.#share
  }

  began(): void {
    this.#arriving += 1
    this.#observe(1)
  }

  ended(): void {
    this.#arriving -= 1
  }

  smallBodyEnded(): void {
    this.#observe(0)
  }

  /** Updates the share: the mean of the first bodies, and after them a moving average. */
  #observe(isLarge: 0 | 1): void {
    this.#observed = Math.min(this.#observed + 1, OBSERVED_BODIES)
    this.#share += (isLarge - this.#share) / this.#observed
  }
}

/** Enough for a steady share, few enough to soon notice that a host begins to send large bodies. */
const OBSERVED_BODIES = 16
