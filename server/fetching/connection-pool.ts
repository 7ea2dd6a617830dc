/** Who asks for connections: one job, on whatever thread it runs. */
export interface ConnectionClient {
  /** Called once for each connection asked for, when it may be opened. */
  granted(host: string): void
}

/** How a host behaved on a connection: well, under strain (429, 503, a reset), or nothing to say. */
export type Verdict = 'well' | 'strained' | 'neutral'

/** The bounds of the whole service. */
export interface ConnectionBounds {
  /** Connections at once in all. */
  readonly total: number
  /** Connections at once to one host and port. */
  readonly perHost: number
}

/**
 * Shares out connections over all jobs: so many in all, so many a host. A host begins with a few, gets one more
 * for each that went well, and half of them when it shows strain. Clients take turns, and within a client its
 * hosts do, so neither a large job nor a slow host starves the rest.
 */
export class ConnectionPool {
  readonly #bounds: ConnectionBounds
  readonly #hosts = new Map<string, HostState>()
  readonly #clients = new Map<ConnectionClient, ClientState>()
  #open = 0

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds
  }

  /** Asks for one connection to a host (`name:port`); `client.granted` answers, perhaps before this returns. */
  request(client: ConnectionClient, host: string): void {
    const state = this.#clients.get(client) ?? { waiting: new Map(), held: new Map() }
    this.#clients.set(client, state)
    state.waiting.set(host, (state.waiting.get(host) ?? 0) + 1)
    this.#grantAll()
  }

  /** Gives a connection back. */
  release(client: ConnectionClient, host: string, verdict: Verdict): void {
    const state = this.#clients.get(client)
    if (state === undefined || !takeOne(state.held, host)) return
    this.#judge(this.#host(host), verdict)
    this.#forgetIdle(client, state)
    this.#grantAll()
  }

  /** Takes back all that a client holds or waits for: its job ended, or the thread that ran it died. */
  leave(client: ConnectionClient): void {
    const state = this.#clients.get(client)
    if (state === undefined) return
    this.#clients.delete(client)
    for (const [host, count] of state.held) {
      for (let released = 0; released < count; released++) this.#judge(this.#host(host), 'neutral')
    }
    this.#grantAll()
  }

  #grantAll(): void {
    let granted = true
    while (granted && this.#open < this.#bounds.total) {
      granted = false
      for (const [client, state] of this.#clients) {
        const host = this.#nextHost(state)
        if (host === undefined) continue
        this.#open += 1
        this.#host(host).open += 1
        takeOne(state.waiting, host)
        state.held.set(host, (state.held.get(host) ?? 0) + 1)
        moveToEnd(this.#clients, client)
        moveToEnd(state.waiting, host)
        client.granted(host)
        granted = true
        break
      }
    }
  }

  #nextHost(state: ClientState): string | undefined {
    for (const host of state.waiting.keys()) {
      const { open, limit } = this.#host(host)
      if (open < limit) return host
    }
    return undefined
  }

  #judge(host: HostState, verdict: Verdict): void {
    this.#open -= 1
    host.open -= 1
    if (host.unjudged > 0) {
      // Opened before the last halving: its news is old.
      host.unjudged -= 1
    } else if (verdict === 'well') {
      host.limit = Math.min(host.limit + 1, this.#bounds.perHost)
    } else if (verdict === 'strained') {
      host.limit = Math.max(1, host.limit >> 1)
      host.unjudged = host.open
    }
  }

  #host(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    if (this.#hosts.size >= MAX_REMEMBERED_HOSTS) this.#forgetOldestHost()
    const state = { limit: Math.min(FIRST_CONNECTIONS, this.#bounds.perHost), open: 0, unjudged: 0 }
    this.#hosts.set(host, state)
    return state
  }

  #forgetOldestHost(): void {
    for (const [host, state] of this.#hosts) {
      if (state.open > 0) continue
      this.#hosts.delete(host)
      return
    }
  }

  #forgetIdle(client: ConnectionClient, state: ClientState): void {
    if (state.held.size === 0 && state.waiting.size === 0) this.#clients.delete(client)
  }
}

interface HostState {
  /** Connections that the host may have now. */
  limit: number
  open: number
  /** Open connections whose verdict no longer counts. */
  unjudged: number
}

interface ClientState {
  readonly waiting: Map<string, number>
  readonly held: Map<string, number>
}

/** What every host begins with: enough to be quick, few enough to be polite. */
const FIRST_CONNECTIONS = 8

/** What is known of a host is dropped past this many: a bound on memory, no more. */
const MAX_REMEMBERED_HOSTS = 10_000

/** Lowers a count by one, dropping it at zero; false when there was none. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key)
  if (count === undefined) return false
  if (count === 1) counts.delete(key)
  else counts.set(key, count - 1)
  return true
}

/** A `Map` keeps insertion order, which serves as the order of turns. */
function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
