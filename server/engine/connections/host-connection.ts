import { FetchFailure } from '../../fetching/fetch-failure.ts'
import type { FetchConnection } from '../../fetching/fetch-url.ts'
import { type FailedAttempt, lackedDescriptors } from '../../fetching/retries.ts'
import type { IncomingBody } from '../bodies/incoming-body.ts'
import type { HostAvailability } from './host-availability.ts'
import type { Verdict } from './host-limits.ts'
import type { Lease, LeaseQueue } from './lease-queue.ts'
import type { OutageOver, OutageWatch, WatchedAttempt } from './outage-watch.ts'

/**
 * Runs in the thread of the job. The one connection that is held at a time, for one source after the other, while redirects lead
 * from host to host. Disposing of it releases the connection.
 */
export class HostConnection implements FetchConnection, WatchedAttempt, Disposable {
  readonly #leases: LeaseQueue
  readonly #availability: HostAvailability
  readonly #lookUp: (host: string) => Promise<void>
  readonly #outages: OutageWatch
  #lease: Lease | null = null
  /** When the request was sent; null once the host has answered. */
  #requestedMs: number | null = null
  /** When the attempt got its connection, or the last source ended on it. */
  #leasedMs = 0
  #heardMs = 0
  /** The body that arrives; null before its response begins. */
  #receiving: Pick<IncomingBody, 'resumePoint'> | null = null

  /** @param lookUp waits until the addresses of a host (`name:port`) are known, or can't be had. A name may take long, so it holds no connection */
  constructor(
    leases: LeaseQueue,
    availability: HostAvailability,
    lookUp: (host: string) => Promise<void>,
    outages: OutageWatch,
  ) {
    this.#leases = leases
    this.#availability = availability
    this.#lookUp = lookUp
    this.#outages = outages
  }

  get host(): string {
    return this.#lease?.host ?? ''
  }

  get heardMs(): number {
    return this.#heardMs
  }

  /**
   * Releases the connection to the previous host and waits for one to this host (`name:port`), unless it is held already.
   * @returns the controller that ends all work on the connection
   * @throws FetchFailure when the host was given up
   */
  async switchTo(host: string): Promise<AbortController> {
    if (this.#lease?.host !== host) {
      this.answered()
      this.release('healthy')
      this.#availability.assertReachable(host)
    }
    if (this.#lease === null) {
      await this.#lookUp(host)
      this.#lease = await this.#leases.lease(host)
      this.#leasedMs = this.#availability.now()
      this.#outages.began(this)
    }
    // The host may have been given up during the wait, or since the source before.
    this.#availability.assertReachable(host)
    this.#heardMs = this.#availability.now()
    this.#requestedMs ??= this.#heardMs
    return this.#lease.aborter
  }

  /**
   * A part of the body has come.
   * @throws the reason why the connection must be released: the lease was revoked or the job ended
   */
  received(): void {
    this.#heardMs = this.#availability.now()
    this.#lease?.aborter.signal.throwIfAborted()
  }

  /** The host has answered. */
  answered(): void {
    this.#heardMs = this.#availability.now()
    if (this.#requestedMs !== null && this.#lease !== null) this.#availability.answered(this.#lease.host)
    this.#requestedMs = null
  }

  /** The body begins, or continues. */
  receives(incoming: Pick<IncomingBody, 'resumePoint'>): void {
    this.#receiving = incoming
  }

  cut(reason: OutageOver): void {
    const isResumable = this.#receiving === null || this.#receiving.resumePoint() !== null
    if (isResumable) this.#lease?.aborter.abort(reason)
  }

  /** The body that arrives is large: only a few of them arrive from one host at once. */
  bodyIsLarge(): void {
    this.#lease?.bodyIsLarge()
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
    this.#receiving = null
    if (this.#lease?.keepForNextSource() === true) this.#leasedMs = this.#availability.now()
    else this.release('healthy')
  }

  release(verdict: Verdict): void {
    this.#lease?.release(verdict)
    this.#lease = null
    this.#requestedMs = null
    this.#receiving = null
    this.#outages.ended(this)
  }

  [Symbol.dispose](): void {
    this.release('healthy')
  }

  /** Records whether the failed attempt got a response from the host. Returns the verdict on the host. */
  #recordFailure(failure: FetchFailure): Verdict {
    if (this.#lease !== null && failure.asksToWait) {
      const waitMs = this.#availability.refused(this.#lease.host, failure)
      return { waitMs, isRate: failure.text === 'HTTP 429' }
    }
    if (this.#lease !== null && this.#requestedMs !== null)
      this.#availability.unanswered(this.#lease.host, failure.text, this.#requestedMs)
    // Such a certificate is that of the host, not of one URL.
    if (this.#lease !== null && failure.text === 'TLS certificate not trusted')
      this.#availability.giveUp(this.#lease.host, failure.text)
    if (STRAIN.has(failure.text)) return 'strained'
    return failure.text.startsWith('HTTP ') ? 'healthy' : 'unknown'
  }
}

/** A 503 without `Retry-After`, and a connection that ended before the first byte: perhaps there are too many at once. */
const STRAIN: ReadonlySet<string> = new Set(['HTTP 503', 'Connection failed', 'Connection closed early'])
