import type { Verdict } from './host-limits.ts'
import { LargeBodies } from './large-bodies.ts'

/*
 * Runs in the thread of the job. A connection to a host goes through these states, in this order:
 *
 *   waiting    `lease` was called: a source waits here, and the pool knows nothing of it yet.
 *   requested  `channel.request` was called. At most as many requests as sources wait, and no more than the job can use.
 *   granted    `listener.granted` was called, once per request, perhaps within `request`: the first source that waits holds the
 *              lease. If none waits any more, the connection is released at once.
 *   revoked    `listener.revoked` was called while the lease was held: its `aborter` is aborted. Later calls for a connection that
 *              was released meanwhile do nothing.
 *   released   `release` was called: the next source that waits for the host gets the connection as a new lease, or
 *              `channel.release` returns it to the pool.
 *
 * While a lease is held, `bodyIsLarge` may be called at any time, and `keepForNextSource` at the end of each source until it
 * returns false. `release` comes last, also after a revocation; further calls of it do nothing. When the job ends, the sources
 * that wait are rejected and all leases are aborted; their holders still release them.
 */

/** How a job reaches the connection pool of the service, which may be in another thread. */
export interface LeaseChannel {
  /** Requests one connection. `LeaseListener.granted` is called when there is one. */
  request(host: string): void
  release(host: string, verdict: Verdict): void
}

/** What the connection pool tells a job. */
export interface LeaseListener {
  /** Called once per request, when a connection may be opened. */
  granted(host: string): void
  /** Called when one connection to the host is needed for another user and must be released. */
  revoked(host: string): void
}

/** Connects one job to the connection pool. */
export type OpenLeaseChannel = (listener: LeaseListener) => LeaseChannel

/** Ends an attempt whose connection is needed for another user. */
export class LeaseRevoked extends Error {
  override readonly name = 'LeaseRevoked'
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
  /**
   * Keeps the connection for the next source of the host, when one was packed. False if others may need it: then it must be
   * released.
   */
  keepForNextSource(): boolean
  release(verdict: Verdict): void
}

/**
 * The job's queue for connections, per host. It requests no more connections than the job can use: thousands of URLs wait
 * here and not in the service's pool, and a host that sends large bodies gets few connections.
 */
export class LeaseQueue {
  readonly #channel: LeaseChannel
  readonly #maxPerHost: number
  readonly #signal: AbortSignal
  readonly #nowMs: () => number
  readonly #hosts = new Map<string, HostLeases>()

  /**
   * @param maxPerHost the most connections that a host ever gets: further requests would only wait in the pool
   * @param signal aborted when the job ends. One listener serves all sources that wait; one listener for each costs seconds at a
   * hundred thousand URLs.
   * @param nowMs a clock that never jumps
   */
  constructor(
    openChannel: OpenLeaseChannel,
    maxPerHost: number,
    signal: AbortSignal,
    nowMs = () => performance.now(),
  ) {
    this.#channel = openChannel({
      granted: (host) => this.#leasesOf(host).granted(),
      revoked: (host) => this.#leasesOf(host).revoked(),
    })
    this.#maxPerHost = maxPerHost
    this.#signal = signal
    this.#nowMs = nowMs
    const onEnd = () => {
      for (const leases of this.#hosts.values()) leases.end(signal.reason)
    }
    signal.addEventListener('abort', onEnd, { once: true })
  }

  /** Waits for a connection to the host (`name:port`). */
  async lease(host: string): Promise<Lease> {
    this.#signal.throwIfAborted()
    return await this.#leasesOf(host).lease()
  }

  #leasesOf(host: string): HostLeases {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const leases = new HostLeases(host, this.#channel, this.#maxPerHost, this.#nowMs, () => {
      if (this.#hosts.size > MAX_UNUSED_HOSTS) this.#hosts.delete(host)
    })
    this.#hosts.set(host, leases)
    return leases
  }
}

/** Who of the job waits for a connection to one host, and who holds one. */
class HostLeases {
  readonly #host: string
  readonly #channel: LeaseChannel
  readonly #maxCount: number
  readonly #nowMs: () => number
  readonly #onUnused: () => void
  readonly #waiting: PromiseWithResolvers<Lease>[] = []
  /** In the order in which they were granted. */
  readonly #held = new Set<Lease>()
  readonly #largeBodies = new LargeBodies()
  /** Requests that the pool has not answered yet. */
  #requestedCount = 0
  /** When the pool granted the first connection. */
  #firstGrantedMs: number | null = null
  /** Whether the host has asked its clients to wait: since then, only the pool knows when the next request may be sent. */
  #hasRefused = false

  /** @param onUnused called when no source of the host waits for a connection or holds one */
  constructor(
    host: string,
    channel: LeaseChannel,
    maxCount: number,
    nowMs: () => number,
    onUnused: () => void,
  ) {
    this.#host = host
    this.#channel = channel
    this.#maxCount = maxCount
    this.#nowMs = nowMs
    this.#onUnused = onUnused
  }

  lease(): Promise<Lease> {
    const waiter = Promise.withResolvers<Lease>()
    this.#waiting.push(waiter)
    this.#requestMore()
    return waiter.promise
  }

  granted(): void {
    this.#requestedCount -= 1
    const nowMs = this.#nowMs()
    this.#firstGrantedMs ??= nowMs
    if (!this.#handOver(nowMs, new AbortController())) this.#channel.release(this.#host, 'unknown')
  }

  /** Revokes the newest lease, which loses the least work. It may have been released a moment ago. */
  revoked(): void {
    const newest = [...this.#held].findLast(({ aborter }) => !aborter.signal.aborted)
    newest?.aborter.abort(new LeaseRevoked('the connection is needed for another user'))
  }

  end(reason: unknown): void {
    for (const waiter of this.#waiting.splice(0)) waiter.reject(reason)
    for (const { aborter } of this.#held) aborter.abort(reason)
  }

  /** Gives a connection, granted at `grantedAtMs`, to the first source that waits. False if none may have it. */
  #handOver(grantedAtMs: number, aborter: AbortController): boolean {
    if (!this.#largeBodies.allowConnections(this.#held.size + 1)) return false
    const waiter = this.#waiting.shift()
    waiter?.resolve(this.#hold(grantedAtMs, aborter))
    return waiter !== undefined
  }

  #hold(grantedAtMs: number, aborter: AbortController): Lease {
    const largeBodies = this.#largeBodies
    let isLarge = false
    const isReusable = () =>
      !this.#hasRefused && !aborter.signal.aborted && this.#nowMs() < this.#sharedAtMs(grantedAtMs)
    const lease: Lease = {
      host: this.#host,
      aborter,
      bodyIsLarge() {
        if (!isLarge) largeBodies.began()
        isLarge = true
      },
      keepForNextSource: () => {
        // Only `release` counts the end of a large body.
        if (isLarge || !isReusable() || !largeBodies.allowConnections(this.#held.size)) return false
        largeBodies.smallBodyEnded()
        this.#requestMore()
        return true
      },
      release: (verdict) => {
        if (!this.#held.delete(lease)) return
        const isHealthy = verdict === 'healthy'
        if (typeof verdict === 'object') this.#hasRefused = true
        if (isLarge) largeBodies.ended()
        else if (isHealthy) largeBodies.smallBodyEnded()
        const isHandedOver = isHealthy && isReusable() && this.#handOver(grantedAtMs, aborter)
        if (!isHandedOver) this.#channel.release(this.#host, verdict)
        this.#requestMore()
        const usedCount = this.#held.size + this.#waiting.length + this.#requestedCount
        if (usedCount === 0 && !this.#hasRefused) this.#onUnused()
      },
    }
    this.#held.add(lease)
    return lease
  }

  /** When a connection that the pool granted at `grantedAtMs` must be returned to it at the next chance. */
  #sharedAtMs(grantedAtMs: number): number {
    const knownMs = grantedAtMs - (this.#firstGrantedMs ?? grantedAtMs)
    return grantedAtMs + Math.min(Math.max(knownMs, FIRST_REUSE_MS), REUSE_MS)
  }

  #requestMore(): void {
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      this.#requestedCount < Math.min(this.#waiting.length, this.#maxCount) &&
      this.#largeBodies.allowConnections(this.#held.size + this.#requestedCount + 1)
    ) {
      this.#requestedCount += 1
      this.#channel.request(this.#host)
    }
  }
}

/**
 * The job reuses a healthy connection for its next URLs for this long before the pool can grant it to another job:
 * requesting a connection for each of thousands of small bodies takes longer than fetching them.
 */
const REUSE_MS = 40

/**
 * A job keeps its first connection to a host for this long. It keeps a later one for as long as it has used the host so far, up
 * to `REUSE_MS`. The pool raises the limit of a host with each healthy connection that is returned, so a job of small files soon
 * has all that it may have. If it kept each for `REUSE_MS`, that would take 80 ms.
 */
const FIRST_REUSE_MS = 5

/** The queue remembers at least so many hosts that no source uses now, since further sources of them may follow. */
const MAX_UNUSED_HOSTS = 1000
