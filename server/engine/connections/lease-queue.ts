/*
 * The states of the queue, and which methods may come in which, in any order (the states of one connection stand in `lease.ts`, those of
 * one host in `host-leases.ts`):
 *
 *   open       lease               waits until the pool grants a connection, or the job ends
 *              offer               when a body begins to arrive that further connections can fetch; it ends with the attempt
 *              stopSegments        while a lease of the host is held
 *              granted, revoked    called by the channel, also within its `request` and `release`
 *   ended      the signal was aborted: all that wait were rejected, and all leases are aborted. `lease` rejects. The others may come, and
 *              what the channel still grants is returned to it
 *   disposed   no source is left, and all leases were released: only the channel may still call
 */

import { HostLeases } from './host-leases.ts'
import type { DivisibleBody, Lease, LeaseChannel, LeaseWish, OpenLeaseChannel } from './lease.ts'

/**
 * Runs in the thread of the job. Its queue for connections, per host. It requests no more connections than the job can use:
 * thousands of URLs wait here and not in the service's pool, and a host that sends large bodies gets few connections.
 *
 * Dispose of it when its job is over: Bun keeps a signal of `AbortSignal.any` that has a listener, and all that the listener refers
 * to, as long as one of the signals that it follows exists. A listener that refers to one of these is never freed: 3 MB for a list
 * of 5,000 URLs.
 */
export class LeaseQueue implements Disposable {
  readonly #channel: LeaseChannel
  readonly #maxPerHost: number
  readonly #signal: AbortSignal
  readonly #nowMs: () => number
  readonly #readerCount: () => number
  readonly #hosts = new Map<string, HostLeases>()

  /**
   * @param maxPerHost the most connections that a host ever gets: further requests would only wait in the pool
   * @param signal aborted when the job ends. One listener serves all sources that wait; one listener for each costs seconds at a
   * hundred thousand URLs.
   * @param nowMs a clock that never jumps
   * @param readerCount how many clients download the archive now
   */
  constructor(
    openChannel: OpenLeaseChannel,
    maxPerHost: number,
    signal: AbortSignal,
    nowMs: () => number,
    readerCount: () => number,
  ) {
    this.#channel = openChannel({
      granted: (grant) => this.#leasesOf(grant.host).granted(grant),
      revoked: (grant) => this.#hosts.get(grant.host)?.revoked(grant),
    })
    this.#maxPerHost = maxPerHost
    this.#signal = signal
    this.#nowMs = nowMs
    this.#readerCount = readerCount
    signal.addEventListener('abort', this.#onEnd, { once: true })
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#onEnd)
  }

  /** Waits for a connection to the host (`name:port`). */
  async lease(host: string, wish: LeaseWish): Promise<Lease> {
    this.#signal.throwIfAborted()
    return await this.#leasesOf(host).lease(wish)
  }

  /** Offers a body to the connections to the host that no source needs, until it is disposed of. */
  offer(host: string, body: DivisibleBody): Disposable {
    return this.#leasesOf(host).offer(body)
  }

  /** The host does not give parts of bodies as it was asked: no further segments are fetched from it. */
  stopSegments(host: string): void {
    this.#leasesOf(host).stopSegments()
  }

  readonly #onEnd = () => {
    for (const leases of this.#hosts.values()) leases.end(this.#signal.reason)
  }

  #leasesOf(host: string): HostLeases {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const limits = { maxCount: this.#maxPerHost, nowMs: this.#nowMs, readerCount: this.#readerCount }
    const leases = new HostLeases(host, this.#channel, limits, () => {
      if (this.#hosts.size > MAX_UNUSED_HOSTS) this.#hosts.delete(host)
    })
    this.#hosts.set(host, leases)
    return leases
  }
}

/** The queue remembers at least so many hosts that no source uses now, since further sources of them may follow. */
const MAX_UNUSED_HOSTS = 1000
