import { GrantedLease, type LeaseOwner } from './granted-lease.ts'
import type { Verdict } from './host-limits.ts'
import { type HostQueue, mayOpen, openHostQueue } from './host-queue.ts'
import type { Lease } from './lease.ts'

/** How a job reaches the service's connection pool, which may be in another thread. */
export interface LeaseChannel {
  /** Requests one connection. `LeaseListener.granted` is called when there is one. */
  request(host: string): void
  release(host: string, verdict: Verdict): void
}

/** The functions of a job that the connection pool calls. */
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

/**
 * The job's queue for connections, per host. It requests no more connections than the job can use: thousands of URLs wait
 * here and not in the service's pool, and a host that sends large bodies gets few connections.
 */
export class LeaseQueue {
  readonly #channel: LeaseChannel
  readonly #signal: AbortSignal
  readonly #nowMs: () => number
  readonly #queues = new Map<string, HostQueue>()
  /** In the order in which they were granted. */
  readonly #leases = new Set<GrantedLease>()
  readonly #owner: LeaseOwner = {
    released: (lease, verdict) => this.#released(lease, verdict),
    mayContinue: (lease) => this.#mayContinue(lease),
  }

  /**
   * @param signal aborted when the job ends: all waiters are rejected. One listener serves all waiters; one listener
   * per waiter costs seconds at a hundred thousand URLs.
   * @param nowMs a clock that never jumps
   */
  constructor(openChannel: OpenLeaseChannel, signal: AbortSignal, nowMs = () => performance.now()) {
    this.#channel = openChannel({
      granted: (host) => this.#onGranted(host),
      revoked: (host) => this.#onRevoked(host),
    })
    this.#signal = signal
    this.#nowMs = nowMs
    signal.addEventListener('abort', () => this.#endAll(), { once: true })
  }

  /** Waits for a connection to the host (`name:port`). */
  lease(host: string): Promise<Lease> {
    this.#signal.throwIfAborted()
    const waiter = Promise.withResolvers<Lease>()
    const queue = this.#queue(host)
    queue.waiters.push(waiter)
    this.#request(host, queue)
    return waiter.promise
  }

  #onGranted(host: string): void {
    const queue = this.#queue(host)
    queue.requested -= 1
    const nowMs = this.#nowMs()
    queue.firstGrantedMs ??= nowMs
    if (!this.#handOver(host, queue, nowMs, new AbortController())) this.#channel.release(host, 'unknown')
  }

  /** Revokes the newest lease to the host, which loses the least work. It may have been released a moment ago. */
  #onRevoked(host: string): void {
    const newest = [...this.#leases].findLast((lease) => lease.host === host && !lease.aborter.signal.aborted)
    newest?.aborter.abort(new LeaseRevoked('the connection is needed for another user'))
  }

  #endAll(): void {
    for (const queue of this.#queues.values()) {
      for (const waiter of queue.waiters) waiter.reject(this.#signal.reason)
      queue.waiters.length = 0
    }
    for (const { aborter } of this.#leases) aborter.abort(this.#signal.reason)
  }

  /** Gives a connection, granted at `grantedAtMs`, to the first waiter. False when no waiter may have it. */
  #handOver(host: string, queue: HostQueue, grantedAtMs: number, aborter: AbortController): boolean {
    const waiter = mayOpen(queue, queue.leases) ? queue.waiters.shift() : undefined
    waiter?.resolve(this.#grant(host, queue, grantedAtMs, aborter))
    return waiter !== undefined
  }

  #grant(host: string, queue: HostQueue, grantedAtMs: number, aborter: AbortController): Lease {
    const lease = new GrantedLease(host, queue, grantedAtMs, aborter, this.#owner)
    this.#leases.add(lease)
    queue.leases += 1
    return lease
  }

  #mayContinue({ host, queue, grantedAtMs, aborter, isLarge }: GrantedLease): boolean {
    // Only `#released` counts the end of a large body.
    if (isLarge || aborter.signal.aborted || !this.#isReusable(queue, grantedAtMs)) return false
    // As if this connection were released and opened again.
    if (!mayOpen(queue, queue.leases - 1)) return false
    queue.largeBodies.smallBodyEnded()
    this.#request(host, queue)
    return true
  }

  #released(lease: GrantedLease, verdict: Verdict): void {
    if (!this.#leases.delete(lease)) return
    const { host, queue, grantedAtMs, aborter } = lease
    queue.leases -= 1
    if (lease.isLarge) queue.largeBodies.ended()
    else if (verdict === 'healthy') queue.largeBodies.smallBodyEnded()
    const isHealthy = verdict === 'healthy' && !aborter.signal.aborted
    const isHandedOver =
      isHealthy && this.#isReusable(queue, grantedAtMs) && this.#handOver(host, queue, grantedAtMs, aborter)
    if (!isHandedOver) this.#channel.release(host, verdict)
    this.#request(host, queue)
  }

  /** Whether the job may still use a connection that the pool granted at `grantedAtMs`. */
  #isReusable({ firstGrantedMs }: HostQueue, grantedAtMs: number): boolean {
    const knownMs = grantedAtMs - (firstGrantedMs ?? grantedAtMs)
    return this.#nowMs() - grantedAtMs < Math.min(Math.max(knownMs, FIRST_REUSE_MS), REUSE_MS)
  }

  #request(host: string, queue: HostQueue): void {
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      queue.requested < Math.min(queue.waiters.length, REQUESTS_PER_HOST) &&
      mayOpen(queue, queue.leases + queue.requested)
    ) {
      queue.requested += 1
      this.#channel.request(host)
    }
  }

  #queue(host: string): HostQueue {
    const known = this.#queues.get(host)
    if (known !== undefined) return known
    const queue = openHostQueue()
    this.#queues.set(host, queue)
    return queue
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
 * has all 32. If it kept each for `REUSE_MS`, that would take 80 ms.
 */
const FIRST_REUSE_MS = 5

/** The most connections that a host ever gets: further requests would only wait in the pool. */
const REQUESTS_PER_HOST = 32
