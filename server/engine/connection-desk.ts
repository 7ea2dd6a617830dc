import type { Verdict } from '../fetching/host-limits.ts'

/** The way to the service's connection pool, from whatever thread. */
export interface LeasePort {
  /** Asks for one connection. */
  request(host: string): void
  release(host: string, verdict: Verdict): void
}

/** What the pool says to a job. */
export interface LeaseAnswers {
  /** To be called for each connection asked for, when there is one. */
  granted(host: string): void
  /** One connection to the host goes to another user. */
  taken(host: string): void
}

/** Opens the way for one job. */
export type OpenLeasePort = (answers: LeaseAnswers) => LeasePort

/** Why an attempt ends whose connection another user needs. */
export class ConnectionTaken extends Error {
  override readonly name = 'ConnectionTaken'
}

/** The right to hold one connection to a host, until it is given back. */
export interface Lease {
  readonly host: string
  /** Aborted when the connection is to be given back at once, be it that the job ends. */
  readonly signal: AbortSignal
  release(verdict: Verdict): void
}

/**
 * A job's queue for connections, by host. It asks for no more than it can use: thousands of URLs wait here and
 * not at the service's pool, and a host that sends large bodies is asked for few at once.
 */
export class ConnectionDesk {
  readonly #port: LeasePort
  readonly #signal: AbortSignal
  readonly #queues = new Map<string, HostQueue>()
  /** In the order in which they were issued. */
  readonly #leases = new Set<IssuedLease>()

  /**
   * @param signal aborted when the job ends: then nobody waits here any more. One listener for all who wait; a
   * listener each costs seconds at a hundred thousand URLs.
   */
  constructor(openPort: OpenLeasePort, signal: AbortSignal) {
    this.#port = openPort({
      granted: (host) => this.#granted(host),
      taken: (host) => this.#taken(host),
    })
    this.#signal = signal
    signal.addEventListener('abort', () => this.#turnAway(), { once: true })
  }

  /** Waits for a connection to the host (`name:port`). */
  lease(host: string): Promise<Lease> {
    this.#signal.throwIfAborted()
    const waiter = Promise.withResolvers<Lease>()
    const queue = this.#queue(host)
    queue.waiters.push(waiter)
    this.#ask(host, queue)
    return waiter.promise
  }

  /** Says that a large body is coming from the host, until the function that it returns is called. */
  largeBody(host: string): () => void {
    const queue = this.#queue(host)
    queue.largeBodies += 1
    return () => {
      queue.largeBodies -= 1
      this.#ask(host, queue)
    }
  }

  /** The pool's answer to one request. */
  #granted(host: string): void {
    const queue = this.#queue(host)
    queue.asked -= 1
    if (!this.#serve(host, queue, performance.now())) this.#port.release(host, 'neutral')
  }

  #turnAway(): void {
    for (const queue of this.#queues.values()) {
      for (const waiter of queue.waiters) waiter.reject(this.#signal.reason)
      queue.waiters.length = 0
    }
    for (const { ender } of this.#leases) ender.abort(this.#signal.reason)
  }

  /** The newest has the least to lose. None may be left: then what was given back a moment ago is the answer. */
  #taken(host: string): void {
    const newest = [...this.#leases].findLast((lease) => lease.host === host && !lease.ender.signal.aborted)
    newest?.ender.abort(new ConnectionTaken('the connection goes to another user'))
  }

  /** Hands a connection that is ours since `grantedAtMs` to who has waited longest; false when nobody may have it. */
  #serve(host: string, queue: HostQueue, grantedAtMs: number): boolean {
    const waiter = queue.largeBodies < LARGE_BODIES_PER_HOST ? queue.waiters.shift() : undefined
    waiter?.resolve(this.#issue(host, queue, grantedAtMs))
    return waiter !== undefined
  }

  #issue(host: string, queue: HostQueue, grantedAtMs: number): Lease {
    const ender = new AbortController()
    const issued: IssuedLease = { host, ender }
    this.#leases.add(issued)
    return {
      host,
      signal: ender.signal,
      release: (verdict) => {
        if (!this.#leases.delete(issued)) return
        const isFree = verdict === 'well' && !ender.signal.aborted
        const isOurTurn = isFree && performance.now() - grantedAtMs < TURN_MS
        if (isOurTurn && this.#serve(host, queue, grantedAtMs)) return
        this.#port.release(host, verdict)
        this.#ask(host, queue)
      },
    }
  }

  #ask(host: string, queue: HostQueue): void {
    if (queue.largeBodies >= LARGE_BODIES_PER_HOST) return
    while (queue.asked < Math.min(queue.waiters.length, REQUESTS_PER_HOST)) {
      queue.asked += 1
      this.#port.request(host)
    }
  }

  #queue(host: string): HostQueue {
    const known = this.#queues.get(host)
    if (known !== undefined) return known
    const queue: HostQueue = { waiters: [], asked: 0, largeBodies: 0 }
    this.#queues.set(host, queue)
    return queue
  }
}

interface IssuedLease {
  readonly host: string
  readonly ender: AbortController
}

interface HostQueue {
  readonly waiters: PromiseWithResolvers<Lease>[]
  /** Requests that the pool has not answered yet. */
  asked: number
  largeBodies: number
}

/**
 * A connection that goes well serves one URL after the other for so long before the pool can give it to another
 * job: asking for each of thousands of small bodies takes longer than fetching them.
 */
const TURN_MS = 40

/** Four to eight large bodies at once fill a line; more cost memory and processor time. */
const LARGE_BODIES_PER_HOST = 8

/** As many as a host may ever have: more would only wait elsewhere. */
const REQUESTS_PER_HOST = 32
