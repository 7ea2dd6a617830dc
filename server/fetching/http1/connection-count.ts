import { CLOSED_BY_CLIENT } from './failure.ts'

/** A connection that can be closed. */
interface Closable {
  close(failure: unknown): void
}

/**
 * Counts the connections to all origins, and closes idle ones for new ones. An idle connection holds a descriptor of the process, an
 * entry in the tables of firewalls and a socket of its server like any other, so that it counts towards what the user allows.
 */
export class ConnectionCount {
  /** The one that is idle for the longest time first. */
  readonly #idle = new Set<Closable>()
  #openCount = 0
  #maxCount = Number.POSITIVE_INFINITY

  /** Closes the oldest idle connections until only so many are open, now and from now on. */
  allow(count: number): void {
    this.#maxCount = count
    this.#closeIdleAbove(count)
  }

  /** A connection is about to be made. The caller is responsible for how many are not idle. */
  opening(): void {
    this.#closeIdleAbove(this.#maxCount - 1)
    this.#openCount++
  }

  /** A connection was closed, or could not be made. */
  closed(connection?: Closable): void {
    if (connection !== undefined) this.#idle.delete(connection)
    this.#openCount--
  }

  becameIdle(connection: Closable): void {
    this.#idle.add(connection)
  }

  becameBusy(connection: Closable): void {
    this.#idle.delete(connection)
  }

  closeIdle(): void {
    for (const connection of this.#idle) connection.close(CLOSED_BY_CLIENT)
  }

  /** Each connection reports that it is `closed` while it is being closed. */
  #closeIdleAbove(count: number): void {
    for (const connection of this.#idle) {
      if (this.#openCount <= count) return
      connection.close(CLOSED_BY_CLIENT)
    }
  }
}
