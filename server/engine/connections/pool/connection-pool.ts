// server/decisions/connections.md says how many connections a job, a host and a user get, and why.

import type { GrantedConnection, LeaseUse, Verdict } from '../lease.ts'
import { HostLimits } from './host-limits.ts'
import { addTo, chooseRevocations, type Holder } from './rebalance.ts'
import { type ConnectionThread, ThreadAllowances } from './thread-allowances.ts'

/** A job that requests connections, in whatever thread it runs. */
export interface ConnectionClient {
  /** When connections are scarce, each group gets the same share. A group is all jobs of one user. */
  readonly group: string
  /** Where its connections are opened. */
  readonly thread: ConnectionThread
  /** Called once per request, when the connection may be opened. */
  granted(grant: GrantedConnection): void
  /** Called when the connection must be released for others. The client may have released it already, without the pool knowing yet. */
  revoked(grant: GrantedConnection): void
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
 * with the fewest connections gets the next one. Within a group the clients alternate, and within a client its hosts, so that no
 * user with many jobs, no long job and no slow host starves the others. Segments get what no source waits for, and give way to the
 * sources of their group.
 */
export class ConnectionPool implements Disposable {
  #bounds: ConnectionBounds
  readonly #hosts: HostLimits
  readonly #allowances: ThreadAllowances
  readonly #clients = new Map<ConnectionClient, ClientState>()
  /** Number of connections that each group holds. */
  readonly #groups = new Map<string, number>()
  readonly #nowMs: () => number
  #open = 0
  #lastLeaseId = 0
  /** Runs when a host that waits may get its next connection. */
  #timer: Timer | undefined
  #timerMs = Infinity

  /** @param nowMs a clock that never jumps */
  constructor(bounds: ConnectionBounds, nowMs = () => performance.now()) {
    this.#bounds = bounds
    this.#nowMs = nowMs
    this.#hosts = new HostLimits(bounds.perHost, nowMs)
    this.#allowances = new ThreadAllowances(bounds.total)
  }

  /** Number of connections that are leased. */
  get open(): number {
    return this.#open
  }

  /** Requests one connection to a host (`name:port`). Calls `client.granted` when there is one, perhaps immediately. */
  request(client: ConnectionClient, host: string, use: LeaseUse): void {
    const known = this.#clients.get(client)
    const state = known ?? newState(client)
    if (known === undefined) this.#clients.set(client, state)
    const waitingCount = (state.waiting.get(host) ?? 0) + 1
    addTo(use === 'source' ? state.waiting : state.waitingSegments, host, 1)
    this.#grantAll()
    if (use === 'source' && state.waiting.get(host) === waitingCount) this.#revokeSegment(client.group, host)
  }

  /** Releases a connection that was granted to the client. Further calls do nothing. */
  release(client: ConnectionClient, leaseId: number, verdict: Verdict): void {
    const state = this.#clients.get(client)
    const host = state?.held.get(leaseId)?.host
    if (state === undefined || host === undefined) return
    state.held.delete(leaseId)
    this.#allowances.released(client.thread)
    addTo(this.#groups, client.group, -1)
    this.#open -= 1
    this.#hosts.closed(host, verdict)
    this.#forgetIdle(state)
    this.#grantAll(verdict === 'healthy' ? { state, host } : null)
  }

  /** The host sends more over this many connections than over fewer: it may get them. */
  raise(host: string, connections: number): void {
    this.#hosts.raise(host, connections)
    this.#grantAll()
  }

  /** Other bounds, from now on. Connections that are open above them stay until their release. */
  changeBounds(bounds: ConnectionBounds): void {
    this.#bounds = bounds
    this.#hosts.changeMaxPerHost(bounds.perHost)
    this.#allowances.changeTotal(bounds.total)
    this.#grantAll()
  }

  /** Releases everything that a client holds or waits for, when its job has ended or its thread has died. */
  leave(client: ConnectionClient): void {
    const state = this.#clients.get(client)
    if (state === undefined) return
    this.#clients.delete(client)
    const count = state.held.size
    addTo(this.#groups, client.group, -count)
    this.#open -= count
    this.#allowances.released(client.thread, count)
    for (const { host } of state.held.values()) this.#hosts.closed(host, 'unknown')
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
    const holders = [...this.#clients.values()].map(holderOf)
    for (const { holder, host } of chooseRevocations(holders, free)) {
      const { state } = holder
      const isThere = (held: HeldConnection) => held.host === host
      const isSegmentThere = (held: HeldConnection) => held.use === 'segment' && isThere(held)
      revoke(state, newest(state, isSegmentThere) ?? newest(state, isThere))
    }
  }

  /** Grants nothing more by itself. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  /** @param idle who has just released a healthy connection, which is idle now */
  #grantAll(idle: IdleConnection | null = null): void {
    while (this.#open < this.#bounds.total) {
      const next = this.#nextRequest('source', idle) ?? this.#nextRequest('segment', null)
      if (next === null) return
      const { client, state, host, use } = next
      const waiting = waitingIn(state, use)
      this.#open += 1
      this.#hosts.opened(host)
      addTo(waiting, host, -1)
      const held: HeldConnection = { leaseId: ++this.#lastLeaseId, host, use, isRevoked: false }
      state.held.set(held.leaseId, held)
      addTo(this.#groups, client.group, 1)
      this.#allowances.held(client.thread)
      moveToEnd(this.#clients, client)
      moveToEnd(waiting, host)
      client.granted({ leaseId: held.leaseId, host, use })
    }
  }

  /**
   * A source waits for a connection to the host: a segment of the same group gives way, to the same host if that has no room for
   * more connections.
   */
  #revokeSegment(group: string, host: string): void {
    if (this.#hosts.nextMsOf(host) !== null) return
    const isHostFull = this.#hosts.roomOf(host) <= 0
    const mayGo = (held: HeldConnection) => held.use === 'segment' && (!isHostFull || held.host === host)
    for (const state of this.#clients.values()) {
      if (state.client.group !== group) continue
      const segment = newest(state, mayGo)
      if (segment === undefined) continue
      revoke(state, segment)
      return
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

  #nextRequest(use: LeaseUse, idle: IdleConnection | null) {
    let next: { client: ConnectionClient; state: ClientState; host: string; use: LeaseUse } | null = null
    let fewest = Infinity
    for (const [client, state] of this.#clients) {
      const held = this.#groups.get(client.group) ?? 0
      if (held >= fewest) continue
      const kept = idle?.state === state ? this.#keptHost(idle) : undefined
      const host = kept ?? this.#nextHost(waitingIn(state, use))
      if (host === undefined) continue
      next = { client, state, host, use }
      fewest = held
    }
    return next
  }

  /**
   * A host for which the client has an idle connection is the next one for some turns: a new connection would cost one round trip more, or
   * two with TLS.
   */
  #keptHost({ state, host }: IdleConnection): string | undefined {
    const turns = state.keptTurns.get(host) ?? 0
    if (!state.waiting.has(host) || this.#hosts.roomOf(host) <= 0 || turns >= KEPT_TURNS) {
      state.keptTurns.delete(host)
      return undefined
    }
    state.keptTurns.set(host, turns + 1)
    return host
  }

  #nextHost(waiting: ReadonlyMap<string, number>): string | undefined {
    for (const host of waiting.keys()) {
      if (this.#hosts.roomOf(host) > 0) return host
      const nextMs = this.#hosts.nextMsOf(host)
      if (nextMs !== null) this.#grantAt(nextMs)
    }
    return undefined
  }

  #forgetIdle({ client, held, waiting, waitingSegments }: ClientState): void {
    const isIdle = held.size === 0 && waiting.size === 0 && waitingSegments.size === 0
    if (isIdle) this.#clients.delete(client)
  }
}

interface ClientState {
  readonly client: ConnectionClient
  /** How many requests for sources wait, by host. */
  readonly waiting: Map<string, number>
  readonly waitingSegments: Map<string, number>
  /** By their ids, in the order in which they were granted. */
  readonly held: Map<number, HeldConnection>
  /** How often in a row a host was the next one because of an idle connection. */
  readonly keptTurns: Map<string, number>
}

interface HeldConnection extends GrantedConnection {
  /** Whether its client was told to release it. */
  isRevoked: boolean
}

/** A connection that a client has released, and that its thread can use again. */
interface IdleConnection {
  readonly state: ClientState
  readonly host: string
}

function newState(client: ConnectionClient): ClientState {
  return {
    client,
    waiting: new Map(),
    waitingSegments: new Map(),
    held: new Map(),
    keptTurns: new Map(),
  }
}

/** The connection that the client was granted last, which loses the least work, of those that are not revoked yet. */
function newest(
  { held }: ClientState,
  matches: (held: HeldConnection) => boolean,
): HeldConnection | undefined {
  return [...held.values()].findLast((one) => !one.isRevoked && matches(one))
}

function revoke({ client }: ClientState, held: HeldConnection | undefined): void {
  if (held === undefined) return
  held.isRevoked = true
  const { leaseId, host, use } = held
  client.revoked({ leaseId, host, use })
}

function holderOf(state: ClientState): Holder & { readonly state: ClientState } {
  const held = new Map<string, number>()
  const revoked = new Map<string, number>()
  for (const { host, isRevoked } of state.held.values()) {
    addTo(held, host, 1)
    if (isRevoked) addTo(revoked, host, 1)
  }
  return { state, group: state.client.group, waiting: state.waiting, held, revoked }
}

function waitingIn(state: ClientState, use: LeaseUse): Map<string, number> {
  return use === 'source' ? state.waiting : state.waitingSegments
}

/** A `Map` keeps insertion order: the first entry is the one that was granted a connection the longest ago. */
function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}

/**
 * How many sources of a host follow each other on idle connections while other hosts of the job wait. When all connections are in use,
 * each other host closes one of them, and has to connect: that takes as long as two requests, or three with TLS.
 */
const KEPT_TURNS = 16
