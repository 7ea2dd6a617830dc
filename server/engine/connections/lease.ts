/*
 * Runs in the thread of the job. A connection to a host goes through these states, in this order:
 *
 *   waiting    `lease` was called: a source waits here, and the pool knows nothing of it yet.
 *   requested  `channel.request` was called. At most as many requests as sources wait, and no more than the job can use.
 *   granted    `listener.granted` was called, once per request, perhaps within `request`: the first source that waits holds the
 *              lease. If none waits any more, the connection is released at once. From now on, the pool and the job know the
 *              connection by its `leaseId`.
 *   revoked    `listener.revoked` was called while the lease was held: its `aborter` is aborted. For a connection that was
 *              released meanwhile, it does nothing.
 *   released   `release` was called: the next source that waits for the host gets the connection as a new lease, or
 *              `channel.release` returns it to the pool.
 *
 * While large bodies take turns (`BodyTurns`), one that was granted for a source may be lent to a body that comes before that source in URL
 * order, and the source waits on.
 *
 * A connection for a segment of a large body goes through the same states, but nobody waits for it: it is requested while no source waits
 * for the host and more streams bring more, and is given to the divisible body with the most bytes left. While it is held, `mayGoOn`
 * is asked before each further segment.
 *
 * While a lease is held, `bodyIsLarge` and `received` may be called at any time, and `keepForNextSource` at the end of each source until it
 * returns false. `release` comes last, also after a revocation; further calls of it do nothing. When the job ends, the sources
 * that wait are rejected and all leases are aborted; their holders still release them.
 */

import { OutageOver } from './outage-watch.ts'

/** What a connection is for: a source, or a segment of a large body that another connection fetches already. */
export type LeaseUse = 'source' | 'segment'

/** What one connection tells of its host. `strained` means a 503 or a reset before any byte. */
export type Verdict = 'healthy' | 'strained' | 'unknown' | Refusal

/** The host asked its clients to wait: a 429, or a 503 or 202 with `Retry-After`. */
export interface Refusal {
  /** How long it asked for; null if it named no time. */
  readonly waitMs: number | null
  /** Whether requests come too often for it (429, RFC 6585 section 4), not too many at once. */
  readonly isRate: boolean
}

/** A connection that the pool has granted. No other one ever has its id. */
export interface GrantedConnection {
  readonly leaseId: number
  readonly host: string
  readonly use: LeaseUse
}

/** How a job reaches the connection pool of the service, which may be in another thread. */
export interface LeaseChannel {
  /** Requests one connection. `LeaseListener.granted` is called when there is one. */
  request(host: string, use: LeaseUse): void
  release(leaseId: number, verdict: Verdict): void
  /** The host sends more over this many connections than over fewer. */
  raise(host: string, connections: number): void
}

/** What the connection pool tells a job. */
export interface LeaseListener {
  /** Called once per request, when a connection may be opened. */
  granted(grant: GrantedConnection): void
  /** Called when the connection is needed for others and must be released. It may have been released a moment ago. */
  revoked(grant: GrantedConnection): void
}

/** Connects one job to the connection pool. */
export type OpenLeaseChannel = (listener: LeaseListener) => LeaseChannel

/** What arrives from a host. */
export interface Traffic {
  /** How many large bodies and segments of large bodies. */
  readonly streams: number
  /** What one of them brings, in bytes per second; 0 while that is not known. */
  readonly streamBytesPerSecond: number
  /** Whether large bodies take turns. Then the first one should be whole soon, and no slow connection should hold it up. */
  readonly isInTurns: boolean
}

/** What further connections could fetch of a body now. */
export interface Divisible {
  readonly bytes: number
  /** How many connections that is worth; 0 for none. */
  readonly connections: number
}

/** A source that needs a connection. */
export interface LeaseWish {
  /** In the list of URLs. */
  readonly position: number
  /** Whether its large body waits for its turn. */
  readonly isHeldBack: boolean
}

/** A large body, parts of which further connections can fetch. */
export interface DivisibleBody {
  /** In the list of URLs. */
  readonly position: number
  /** What further connections could fetch now. */
  divisible(traffic: Traffic): Divisible
  /** Fetches a segment, and further ones while `mayGoOn`, and then releases the lease. */
  fetchSegments(lease: Lease): void
  /** Releases all connections. Its source waits for another one, as one that is held back, and then goes on. */
  holdBack(): void
}

/** Ends an attempt whose connection is needed for others. */
export class LeaseRevoked extends Error {
  override readonly name = 'LeaseRevoked'
}

/** Whether an attempt was ended by this program, and neither the source nor the host is at fault. */
export function isCut(error: unknown): boolean {
  return error instanceof LeaseRevoked || error instanceof OutageOver
}

/** The right to hold one connection to a host until it is released. */
export interface Lease {
  readonly host: string
  /**
   * Aborted when the lease is revoked or the job ends: the connection must be released at once. The holder may abort it,
   * too. Leases that follow each other on one connection share it.
   */
  readonly aborter: AbortController
  /** Records that the body that arrives on the connection is large. Further calls do nothing. */
  bodyIsLarge(): void
  /** Bytes of the body have arrived. */
  received(bytes: number): void
  /** Whether the connection may fetch a further segment, or must be released for others. */
  mayGoOn(): boolean
  /**
   * Keeps the connection for the next source of the host, when one was packed. False if others may need it: then it must be
   * released.
   */
  keepForNextSource(): boolean
  release(verdict: Verdict): void
}
