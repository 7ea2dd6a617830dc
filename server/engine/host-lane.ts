import { FetchFailure } from '../fetching/fetch-failure.ts'
import type { Verdict } from '../fetching/host-limits.ts'
import { type ConnectionDesk, ConnectionTaken, type Lease } from './connection-desk.ts'
import type { HostOutages } from './host-outages.ts'

/** What the attempts of a job share. */
interface Hosts {
  readonly desk: ConnectionDesk
  readonly outages: HostOutages
}

/**
 * Runs an attempt on a lane of its own and lets the pool know how the host behaved. An attempt whose connection goes to
 * another user is none of the source's: it begins again as soon as there is another.
 */
export async function onHostLane(hosts: Hosts, attempt: (lane: HostLane) => Promise<void>): Promise<void> {
  for (;;) {
    const lane = new HostLane(hosts)
    try {
      await attempt(lane)
      lane.leave('well')
      return
    } catch (error) {
      lane.leave(error instanceof FetchFailure ? lane.judge(error) : 'neutral')
      if (!(error instanceof ConnectionTaken)) throw error
    }
  }
}

/** The one connection that an attempt holds at a time, while redirects lead it from host to host. */
export class HostLane {
  readonly #hosts: Hosts
  #lease: Lease | null = null
  #endLargeBody: (() => void) | null = null
  /** When the host was asked, until it answers. */
  #askedMs: number | null = null

  constructor(hosts: Hosts) {
    this.#hosts = hosts
  }

  /**
   * Waits for a connection to the host (`name:port`), giving back the one to the host before. The signal ends what is
   * done on it.
   * @throws FetchFailure when the host was given up
   */
  async enter(host: string): Promise<AbortSignal> {
    if (this.#lease?.host === host) return this.#lease.signal
    this.answered()
    this.leave('well')
    const { desk, outages } = this.#hosts
    outages.assertHope(host)
    const lease = await desk.lease(host)
    this.#lease = lease
    // It may have been given up during the wait.
    outages.assertHope(host)
    this.#askedMs = outages.now()
    return lease.signal
  }

  /** @throws whatever ends what is done on the connection, once it is to be given back */
  assertHeld(): void {
    this.#lease?.signal.throwIfAborted()
  }

  /** The host has answered. */
  answered(): void {
    if (this.#askedMs !== null && this.#lease !== null) this.#hosts.outages.answered(this.#lease.host)
    this.#askedMs = null
  }

  /** Says that a large body is coming: the host is asked for few of those at once. */
  largeBody(): void {
    if (this.#lease !== null) this.#endLargeBody ??= this.#hosts.desk.largeBody(this.#lease.host)
  }

  /** What the failure of the attempt says of the host. */
  judge(failure: FetchFailure): Verdict {
    const { outages } = this.#hosts
    if (this.#lease !== null && failure.retryAfterMs !== null) {
      outages.answered(this.#lease.host, failure.retryAfterMs)
    } else if (this.#lease !== null && this.#askedMs !== null) {
      outages.unanswered(this.#lease.host, failure.text, this.#askedMs)
    }
    return verdictOf(failure)
  }

  leave(verdict: Verdict): void {
    this.#endLargeBody?.()
    this.#endLargeBody = null
    this.#lease?.release(verdict)
    this.#lease = null
  }
}

function verdictOf(failure: FetchFailure): Verdict {
  if (STRAIN.has(failure.text)) return 'strained'
  return failure.text.startsWith('HTTP ') ? 'well' : 'neutral'
}

const STRAIN: ReadonlySet<string> = new Set([
  'HTTP 429',
  'HTTP 503',
  'Connection failed',
  'Connection closed early',
])
