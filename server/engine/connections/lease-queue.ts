import { HostLeases } from './host-leases.ts'
import type { DivisibleBody, Lease, LeaseChannel, LeaseWish, OpenLeaseChannel } from './lease.ts'

/**
 * The job's queue for connections, per host. It requests no more connections than the job can use: thousands of URLs wait
 * here and not in the service's pool, and a host that sends large bodies gets few connections.
 */
export class LeaseQueue {
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
    nowMs = () => performance.now(),
    readerCount = () => 0,
  ) {
    this.#channel = openChannel({
      granted: (host, use) => this.#leasesOf(host).granted(use),
      revoked: (host, onlySegment) => this.#leasesOf(host).revoked(onlySegment),
    })
    this.#maxPerHost = maxPerHost
    this.#signal = signal
    this.#nowMs = nowMs
    this.#readerCount = readerCount
    const onEnd = () => {
      for (const leases of this.#hosts.values()) leases.end(signal.reason)
    }
    signal.addEventListener('abort', onEnd, { once: true })
  }

  /** Waits for a connection to the host (`name:port`). */
  async lease(host: string, wish: LeaseWish = ANY_TIME): Promise<Lease> {
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

const ANY_TIME: LeaseWish = { position: 0, isHeldBack: false }

/** The queue remembers at least so many hosts that no source uses now, since further sources of them may follow. */
const MAX_UNUSED_HOSTS = 1000
