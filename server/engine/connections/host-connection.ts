/*
 * The states of a connection, and what leads from one to the next:
 *
 *   free        holds no lease
 *               serves -> free            the source that comes next
 *               switchTo -> requested     when the pool has granted a lease; rejects -> free
 *   requested   holds a lease, and the host has not answered the request
 *               switchTo -> requested     the lease of another host is released first, as healthy
 *               answered -> answered
 *               releaseAfter, release -> free
 *   answered    receives, bodyIsLarge, received, offer, stopSegments -> answered    for the body that arrives
 *               switchTo -> requested     a redirect, the next segment or source
 *               serves -> answered        the source that comes next, after sourceEnded
 *               sourceEnded -> answered   the lease is kept for the next source of the host; else -> free
 *               releaseAfter, release -> free
 *
 * One of these at a time: `switchTo` must have resolved before the next. At any time, `end` and `cut` may abort the lease, as may the pool
 * and the end of the job: what waits on the connection throws, and `releaseAfter` follows. When free, `answered`, `sourceEnded`
 * and what releases do nothing. `release` comes last.
 *
 * One for further segments of a body is made with a lease: it begins as answered, and never becomes that of a source.
 */

import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { type FailedAttempt, lackedDescriptors } from '../../fetching/attempts/retries.ts'
import type { FetchConnection } from '../../fetching/fetch-url.ts'
import type { HostAvailability } from './host-availability.ts'
import type { DivisibleBody, Lease, Verdict } from './lease.ts'
import type { LeaseQueue } from './lease-queue.ts'
import type { OutageOver, OutageWatch, WatchedAttempt } from './outage-watch.ts'

/**
 * Runs in the thread of the job. The one connection that is held at a time, for one source after the other, while redirects lead
 * from host to host. Disposing of it releases the connection.
 */
export class HostConnection implements FetchConnection, WatchedAttempt, Disposable {
  readonly #leases: LeaseQueue
  readonly #availability: HostAvailability
  readonly #lookUp: (host: string) => Promise<void>
  readonly #outages: Pick<OutageWatch, 'began' | 'ended'>
  #lease: Lease | null = null
  /** When the request was sent; null once the host has answered. */
  #requestedMs: number | null = null
  /** The proxy that the request goes through. */
  #proxy: string | null = null
  /** When the attempt got its connection, or the last source ended on it. */
  #leasedMs = 0
  #heardMs = 0
  /** In the list of URLs. */
  #position = 0
  /** The host at which the large body of the source waits for its turn. */
  #heldBackAt = ''
  /** Whether what has arrived of the body is kept if it breaks off now. True before its response begins. */
  #isKept = () => true

  /**
   * @param lookUp waits until the addresses of a host (`name:port`) are known, or can't be had. A silent name server may answer only after
   *   seconds, so a URL that waits for it holds no connection
   * @param lease one that is held already, if any
   */
  constructor(
    leases: LeaseQueue,
    availability: HostAvailability,
    lookUp: (host: string) => Promise<void>,
    outages: Pick<OutageWatch, 'began' | 'ended'>,
    lease: Lease | null,
  ) {
    this.#leases = leases
    this.#availability = availability
    this.#lookUp = lookUp
    this.#outages = outages
    this.#lease = lease
    this.#leasedMs = availability.now()
    this.#heardMs = this.#leasedMs
    if (lease !== null) outages.began(this)
  }

  get host(): string {
    return this.#lease?.host ?? ''
  }

  get heardMs(): number {
    return this.#heardMs
  }

  /** The source at this position of the list comes next. */
  serves(position: number): void {
    this.#position = position
    this.#heldBackAt = ''
  }

  /**
   * Releases the connection to the previous host and waits for one to this host (`name:port`), unless it is held already.
   * @param proxy the name of the proxy that the connection goes through; null for none, or when that is not known yet
   * @returns the controller that ends all work on the connection
   * @throws FetchFailure when the host or the proxy was given up
   */
  async switchTo(host: string, proxy: string | null = null): Promise<AbortController> {
    if (this.#lease?.host !== host) {
      this.answered()
      this.release('healthy')
      this.#availability.assertReachable(host)
    }
    if (this.#lease === null) {
      await this.#lookUp(host)
      const wish = { position: this.#position, isHeldBack: host === this.#heldBackAt }
      this.#lease = await this.#leases.lease(host, wish)
      this.#leasedMs = this.#availability.now()
      this.#outages.began(this)
    }
    // The host may have been given up during the wait, or since the source before.
    this.#availability.assertReachable(host)
    if (proxy !== null) this.#availability.assertReachable(proxy)
    this.#proxy = proxy
    this.#heardMs = this.#availability.now()
    this.#requestedMs ??= this.#heardMs
    return this.#lease.aborter
  }

  /**
   * Bytes of the body have arrived.
   * @throws the reason why the connection must be released: the lease was revoked or the job ended
   */
  received(bytes: number): void {
    this.#heardMs = this.#availability.now()
    this.#lease?.aborter.signal.throwIfAborted()
    this.#lease?.received(bytes)
  }

  /** The host has answered. */
  answered(): void {
    this.#heardMs = this.#availability.now()
    if (this.#requestedMs !== null && this.#lease !== null) {
      this.#availability.answered(this.#lease.host)
      if (this.#proxy !== null) this.#availability.answered(this.#proxy)
    }
    this.#requestedMs = null
  }

  /**
   * The body begins, or continues.
   * @param isKept whether what has arrived of it would be kept if it broke off
   */
  receives(isKept: () => boolean): void {
    this.#isKept = isKept
  }

  cut(reason: OutageOver): void {
    if (this.#isKept()) this.#lease?.aborter.abort(reason)
  }

  /** The body that arrives is large: only so many arrive from one host at once as bring more. */
  bodyIsLarge(): void {
    this.#lease?.bodyIsLarge()
  }

  /** Offers the body to further connections to the host of this one, until it is disposed of. */
  offer(body: DivisibleSource): Disposable {
    const host = this.#lease?.host ?? ''
    return this.#leases.offer(host, {
      position: this.#position,
      holdBack: () => {
        this.#heldBackAt = host
        body.holdBack()
      },
      divisible: (traffic) => body.divisible(traffic),
      fetchSegments: (lease) =>
        body.fetchSegments(
          new HostConnection(this.#leases, this.#availability, this.#lookUp, this.#outages, lease),
        ),
    })
  }

  /** The host does not give parts of bodies as it was asked. */
  stopSegments(): void {
    if (this.#lease !== null) this.#leases.stopSegments(this.#lease.host)
  }

  /** Ends the request, with this reason. */
  end(reason: Error): void {
    this.#lease?.aborter.abort(reason)
  }

  /** Whether the connection may fetch a further segment, or must be released for others. */
  mayGoOn(): boolean {
    return this.#lease?.mayGoOn() === true
  }

  /**
   * Releases the connection after a failed attempt, and reports a verdict on the host to the pool.
   * @returns what the attempt tells of the host
   */
  releaseAfter(error: unknown): Omit<FailedAttempt, 'broughtBytes'> {
    const host = this.#lease?.host ?? null
    const lastedMs = host === null ? 0 : this.#availability.now() - this.#leasedMs
    const isOfHost = error instanceof FetchFailure && !lackedDescriptors(error)
    this.release(isOfHost ? this.#recordFailure(error) : 'unknown')
    return { hostHasAnswered: host !== null && this.#availability.hasAnswered(host), lastedMs }
  }

  /** The source was packed. Keeps the connection for the next one, unless it must be shared. */
  sourceEnded(): void {
    this.#isKept = () => true
    if (this.#lease?.keepForNextSource() === true) this.#leasedMs = this.#availability.now()
    else this.release('healthy')
  }

  release(verdict: Verdict): void {
    this.#lease?.release(verdict)
    this.#lease = null
    this.#requestedMs = null
    this.#proxy = null
    this.#isKept = () => true
    this.#outages.ended(this)
  }

  [Symbol.dispose](): void {
    this.release('healthy')
  }

  /** Records whether the failed attempt got a response from the host. Returns the verdict on the host. */
  #recordFailure(failure: FetchFailure): Verdict {
    if (this.#lease !== null && this.#proxy !== null && failure.ofProxy !== null) {
      const requestedMs = this.#requestedMs ?? this.#availability.now()
      this.#availability.proxyFailed(this.#proxy, this.#lease.host, failure, requestedMs)
      return 'unknown'
    }
    if (this.#lease !== null && failure.asksToWait) {
      const waitMs = this.#availability.refused(this.#lease.host, failure)
      return { waitMs, isRate: failure.text === 'HTTP 429' }
    }
    if (this.#lease !== null && this.#requestedMs !== null)
      this.#availability.unanswered(this.#lease.host, failure.text, this.#requestedMs)
    // Such a certificate is that of the host, not of one URL.
    if (this.#lease !== null && failure.text === 'TLS certificate not trusted')
      this.#availability.giveUp(this.#lease.host, failure.text)
    if (failure.text === 'HTTP 503') return 'strained'
    if (this.#requestedMs !== null && BROKEN_OFF.has(failure.text)) return 'strained'
    return failure.text.startsWith('HTTP ') ? 'healthy' : 'unknown'
  }
}

/** A large body, parts of which further connections can fetch. */
export interface DivisibleSource extends Pick<DivisibleBody, 'divisible' | 'holdBack'> {
  /** Fetches a segment, and further ones while the connection `mayGoOn`, and then releases it. */
  fetchSegments(connection: HostConnection): void
}

/** A connection that ended before the first byte: perhaps there are too many at once. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['Connection failed', 'Connection closed early'])
