import { HostLimits, type Verdict } from './host-limits.ts'
import { addTo, chooseRevocations, type Holder } from './rebalance.ts'

/** A job that requests connections, in whatever thread it runs. */
export interface ConnectionClient {
  /** When connections are scarce, each group gets the same share. A group is all jobs of one user. */
  readonly group: string
  /** Called once per request, when the connection may be opened. */
  granted(host: string): void
  /** Called when one connection to the host must be released for another group. */
  revoked(host: string): void
}

/** The bounds of the whole service. */
export interface ConnectionBounds {
  /** Connections at once, to all hosts together. */
  readonly total: number
  /** Connections at once to one host and port. */
  readonly perHost: number
}

/**
 * Runs in the main thread, for all jobs. Shares connections between them, with a limit in total and a limit per host. The group
 * with the fewest connections gets the next one. Within a group the clients alternate, and within a client its hosts, so that no user with many jobs,
 * no long job and no slow host starves the others.
 */
export class ConnectionPool implements Disposable {
  readonly #bounds: ConnectionBounds
  readonly #hosts: HostLimits
  readonly #clients = new Map<ConnectionClient, ClientState>()
  /** Number of connections that each group holds. */
  readonly #groups = new Map<string, number>()
  readonly #nowMs: () => number
  #open = 0
  /** Runs when a host that waits may get its next connection. */
  #timer: Timer | undefined
  #timerMs = Infinity

  /** @param nowMs a clock that never jumps */
  constructor(bounds: ConnectionBounds, nowMs = () => performance.now()) {
    this.#bounds = bounds
    this.#nowMs = nowMs
    this.#hosts = new HostLimits(bounds.perHost, nowMs)
  }

  /** Number of connections that are leased. */
  get open(): number {
    return this.#open
  }

  /** Requests one connection to a host (`name:port`). Calls `client.granted` when there is one, perhaps immediately. */
  request(client: ConnectionClient, host: string): void {
    const known = this.#clients.get(client)
    const state = known ?? newState(client)
    if (known === undefined) this.#clients.set(client, state)
    addTo(state.waiting, host, 1)
    this.#grantAll()
  }

  /** Releases one connection. */
  release(client: ConnectionClient, host: string, verdict: Verdict): void {
    const state = this.#clients.get(client)
    if (state === undefined || !takeOne(state.held, host)) return
    takeOne(state.revoked, host)
    addTo(this.#groups, client.group, -1)
    this.#open -= 1
    this.#hosts.closed(host, verdict)
    this.#forgetIdle(client, state)
    this.#grantAll()
  }

  /** Releases everything that a client holds or waits for, when its job has ended or its thread has died. */
  leave(client: ConnectionClient): void {
    const state = this.#clients.get(client)
    if (state === undefined) return
    this.#clients.delete(client)
    for (const [host, count] of state.held) {
      addTo(this.#groups, client.group, -count)
      this.#open -= count
      for (let closed = 0; closed < count; closed++) this.#hosts.closed(host, 'unknown')
    }
    this.#grantAll()
  }

  /**
   * Revokes connections of the groups that hold the most for the groups that wait, until the shares are even or no group
   * waits. Call it periodically: most connections are released soon anyway, but connections to a slow host are not.
   */
  rebalance(): void {
    const free = {
      inTotal: this.#bounds.total - this.#open,
      of: (host: string) => this.#hosts.roomOf(host),
      mustWait: (host: string) => this.#hosts.nextMsOf(host) !== null,
    }
    const revocations = chooseRevocations([...this.#clients.values()], free)
    for (const { holder, host } of revocations) holder.client.revoked(host)
  }

  /** Grants nothing more by itself. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #grantAll(): void {
    while (this.#open < this.#bounds.total) {
      const next = this.#nextRequest()
      if (next === null) return
      const { client, state, host } = next
      this.#open += 1
      this.#hosts.opened(host)
      takeOne(state.waiting, host)
      addTo(state.held, host, 1)
      addTo(this.#groups, client.group, 1)
      moveToEnd(this.#clients, client)
      moveToEnd(state.waiting, host)
      client.granted(host)
    }
  }

  /** A host that asked its clients to wait gets its next connection then, and no other host waits for it. */
  #grantAt(atMs: number): void {
    if (atMs >= this.#timerMs) return
    clearTimeout(this.#timer)
    this.#timerMs = atMs
    this.#timer = setTimeout(
      () => {
        this.#timerMs = Infinity
        this.#grantAll()
      },
      // Not a fraction of a millisecond too early, which would be a turn for nothing.
      Math.ceil(atMs - this.#nowMs()),
    )
  }

  #nextRequest(): { client: ConnectionClient; state: ClientState; host: string } | null {
    let next = null
    let fewest = Infinity
    for (const [client, state] of this.#clients) {
      const held = this.#groups.get(client.group) ?? 0
      const host = held < fewest ? this.#nextHost(state) : undefined
      if (host === undefined) continue
      next = { client, state, host }
      fewest = held
    }
    return next
  }

  #nextHost(state: ClientState): string | undefined {
    for (const host of state.waiting.keys()) {
      if (this.#hosts.roomOf(host) > 0) return host
      const nextMs = this.#hosts.nextMsOf(host)
      if (nextMs !== null) this.#grantAt(nextMs)
    }
    return undefined
  }

  #forgetIdle(client: ConnectionClient, state: ClientState): void {
    if (state.held.size === 0 && state.waiting.size === 0) this.#clients.delete(client)
  }
}

interface ClientState extends Holder {
  readonly client: ConnectionClient
  readonly waiting: Map<string, number>
  readonly held: Map<string, number>
}

function newState(client: ConnectionClient): ClientState {
  return { client, group: client.group, waiting: new Map(), held: new Map(), revoked: new Map() }
}

/** Lowers a count by one and deletes it at zero. False when there was no count. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  if (!counts.has(key)) return false
  addTo(counts, key, -1)
  return true
}

/** A `Map` keeps insertion order: the first entry is the one that was granted a connection the longest ago. */
function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
