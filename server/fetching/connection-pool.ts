import { addTo, type Holder, takeForOthers } from './even-shares.ts'
import { HostLimits, type Verdict } from './host-limits.ts'

/** Who asks for connections: one job, on whatever thread it runs. */
export interface ConnectionClient {
  /** All clients of one group count as one where connections are short: all jobs of one user. */
  readonly group: string
  /** Called once for each connection asked for, when it may be opened. */
  granted(host: string): void
  /** Called when one connection to the host is to be released soon, for another group. */
  taken(host: string): void
}

/** The bounds of the whole service. */
export interface ConnectionBounds {
  /** Connections at once in all. */
  readonly total: number
  /** Connections at once to one host and port. */
  readonly perHost: number
}

/**
 * Shares out connections over all jobs: so many in all, so many a host. The group with the fewest connections comes
 * first; within it clients take turns, and within a client its hosts do, so neither a user with many jobs, nor a
 * large job, nor a slow host starves the rest.
 */
export class ConnectionPool {
  readonly #bounds: ConnectionBounds
  readonly #hosts: HostLimits
  readonly #clients = new Map<ConnectionClient, ClientState>()
  /** Connections that each group holds. */
  readonly #groups = new Map<string, number>()
  #open = 0

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds
    this.#hosts = new HostLimits(bounds.perHost)
  }

  /** Connections that are leased. */
  get open(): number {
    return this.#open
  }

  /** Asks for one connection to a host (`name:port`); `client.granted` answers, perhaps before this returns. */
  request(client: ConnectionClient, host: string): void {
    const known = this.#clients.get(client)
    const state = known ?? newState(client)
    if (known === undefined) this.#clients.set(client, state)
    addTo(state.waiting, host, 1)
    this.#grantAll()
  }

  /** Gives a connection back. */
  release(client: ConnectionClient, host: string, verdict: Verdict): void {
    const state = this.#clients.get(client)
    if (state === undefined || !takeOne(state.held, host)) return
    takeOne(state.taken, host)
    addTo(this.#groups, client.group, -1)
    this.#open -= 1
    this.#hosts.closed(host, verdict)
    this.#forgetIdle(client, state)
    this.#grantAll()
  }

  /** Takes back all that a client holds or waits for: its job ended, or the thread that ran it died. */
  leave(client: ConnectionClient): void {
    const state = this.#clients.get(client)
    if (state === undefined) return
    this.#clients.delete(client)
    for (const [host, count] of state.held) {
      addTo(this.#groups, client.group, -count)
      this.#open -= count
      for (let closed = 0; closed < count; closed++) this.#hosts.closed(host, 'neutral')
    }
    this.#grantAll()
  }

  /**
   * Takes connections of those who hold the most for those who wait, until all have as many or none waits. To be called
   * every so often: most connections become free by themselves in a moment, those to a slow host do not.
   */
  balance(): void {
    const room = {
      inAll: this.#bounds.total - this.#open,
      of: (host: string) => this.#hosts.roomOf(host),
    }
    const taken = takeForOthers([...this.#clients.values()], room)
    for (const { holder, host } of taken) holder.client.taken(host)
  }

  #grantAll(): void {
    while (this.#open < this.#bounds.total) {
      const turn = this.#nextTurn()
      if (turn === null) return
      const { client, state, host } = turn
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

  #nextTurn(): { client: ConnectionClient; state: ClientState; host: string } | null {
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
    for (const host of state.waiting.keys()) if (this.#hosts.roomOf(host) > 0) return host
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
  return { client, group: client.group, waiting: new Map(), held: new Map(), taken: new Map() }
}

/** Lowers a count by one, dropping it at zero; false when there was none. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  if (!counts.has(key)) return false
  addTo(counts, key, -1)
  return true
}

/** A `Map` keeps insertion order, which serves as the order of turns. */
function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
