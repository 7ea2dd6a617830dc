import type { Connection, ConnectionOwner } from './connection.ts'
import type { ConnectionCount } from './connection-count.ts'
import { CLOSED_BY_CLIENT, Http1Failure } from './failure.ts'

/**
 * The connections to one origin, and how far the origin is trusted to keep its responses apart. A response over HTTP/1.1 does not
 * say which request it belongs to. If a server sends bytes after a response, the next request on that connection would take them for
 * its own response (RFC 9112 section 11.2). So:
 * - A connection must be silent for a while before its next request. That time is long at first, and gets shorter with each
 *   response that nothing followed.
 * - Bytes that no request asked for end all reuse of connections to the origin, for good.
 * - Such bytes may still come too late to be noticed in time. Then the responses to all but the first request of each connection are
 *   doubtful: see `Http1Response.isDoubtful`.
 */
export class OriginPool implements ConnectionOwner {
  hadSurplus = false
  /** Tried first for the next connection: it was the first to answer before. */
  preferredAddress: string | null = null
  tlsSession: Uint8Array | null = null
  /** The one that is idle for the longest time first. */
  readonly #idle: Connection[] = []
  readonly #openOfAll: ConnectionCount
  readonly #busyAgain = new Set<Connection>()
  /** How many responses nothing has followed. */
  #cleanCount = 0
  /** How many connections were made since that was faster than to wait. */
  #sparedWaits = 0
  #fastestConnectMs = Number.POSITIVE_INFINITY

  /** @param openOfAll the connections to all origins */
  constructor(openOfAll: ConnectionCount) {
    this.#openOfAll = openOfAll
  }

  connected(address: string, connectMs: number): void {
    this.preferredAddress = address
    this.#fastestConnectMs = Math.min(this.#fastestConnectMs, connectMs)
  }

  /**
   * A connection for another request, to one of these addresses. Waits until it has been silent for long enough, unless a new
   * connection is there sooner.
   * @returns null if a new one must be made
   */
  async take(addresses: readonly string[]): Promise<Connection | null> {
    // The youngest that has been silent for long enough: TCP forgets soon how much an idle connection can send (RFC 5681 section 4.1).
    const silentSinceMs = performance.now() - this.#settleMs
    const isUsable = ({ address }: Connection) => addresses.includes(address)
    const settled = this.#idle.findLastIndex((one) => one.idleSinceMs <= silentSinceMs && isUsable(one))
    const index = settled < 0 ? this.#idle.findIndex(isUsable) : settled
    const connection = this.#idle[index]
    if (connection === undefined) return null
    const waitMs = connection.idleSinceMs + this.#settleMs - performance.now()
    const isLong = waitMs > Math.max(this.#fastestConnectMs, connection.exchangeMs)
    if (isLong && this.#sparedWaits < MAX_SPARED_WAITS) {
      this.#sparedWaits++
      this.#makeRoom()
      return null
    }
    this.#idle.splice(index, 1)
    this.#openOfAll.becameBusy(connection)
    if (waitMs >= 1) await Bun.sleep(waitMs)
    await socketsRead()
    if (this.hadSurplus) connection.close(CLOSED_BY_CLIENT)
    if (!connection.isOpen) return null
    this.#cleanCount++
    this.#busyAgain.add(connection)
    return connection
  }

  onIdle(connection: Connection): void {
    this.#busyAgain.delete(connection)
    if (this.hadSurplus) {
      connection.close(CLOSED_BY_CLIENT)
    } else {
      this.#idle.push(connection)
      this.#openOfAll.becameIdle(connection)
    }
  }

  onSurplus(): void {
    this.hadSurplus = true
    for (const connection of this.#idle.splice(0)) connection.close(CLOSED_BY_CLIENT)
    for (const connection of this.#busyAgain) connection.close(new Http1Failure('closed-early', 'surplus'))
  }

  onClosed(connection: Connection): void {
    this.#busyAgain.delete(connection)
    this.#openOfAll.closed(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
  }

  get #settleMs(): number {
    const byTrust = Math.min(FIRST_SETTLE_MS, SETTLE_MS / (1 + this.#cleanCount))
    return Math.max(byTrust, Math.min(FAR_SETTLE_MS, this.#fastestConnectMs * FAR_SHARE))
  }

  /**
   * The oldest idle connection stays, to show whether the origin can be trusted, and so do those that were used again: only they can
   * show that their last response was a foreign one.
   */
  #makeRoom(): void {
    if (this.#idle.length > 1) this.#idle.findLast(({ isReused }) => !isReused)?.close(CLOSED_BY_CLIENT)
  }
}

/** Resolves when all that has arrived was read. */
function socketsRead(): Promise<void> {
  // Immediates run before the sockets of the same turn are read.
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

/** Servers that send a second response do so within 2 ms, and later when they are busy. */
const FIRST_SETTLE_MS = 20
/** Divided by the number of responses that nothing followed. */
const SETTLE_MS = 40
/** Always, for a server that is so far away that this is a small part of each request. */
const FAR_SETTLE_MS = 3
const FAR_SHARE = 0.1
/** A few URLs of a near host need not wait. For many, a wait costs less processor time than a connection. */
const MAX_SPARED_WAITS = 16
