import { Http1Failure } from './failure.ts'

/** A connection that can be closed. */
interface Closable {
  close(failure: unknown): void
}

/**
 * The idle connections to all origins. Each holds a descriptor of the process and a socket of its server, so that a list of many hosts
 * must not leave one behind for each of them.
 */
export class IdleConnections {
  /** The one that is idle for the longest time first. */
  readonly #all = new Set<Closable>()

  /** Closes the oldest one when there are too many. Its owner removes it. */
  add(connection: Closable): void {
    this.#all.add(connection)
    const [oldest] = this.#all
    if (this.#all.size > MAX_IDLE) oldest?.close(UNUSED)
  }

  delete(connection: Closable): void {
    this.#all.delete(connection)
  }

  closeAll(): void {
    for (const connection of this.#all) connection.close(UNUSED)
  }
}

/** Why an idle connection is closed. */
export const UNUSED = new Http1Failure('closed-early', 'closed by the client')

/** As many as there can be connections to one host: those may all be idle for a moment. */
const MAX_IDLE = 256
