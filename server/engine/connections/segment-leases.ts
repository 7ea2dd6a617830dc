import { DivisibleBodies } from './divisible-bodies.ts'
import type { LargeBodies } from './large-bodies.ts'
import {
  type DivisibleBody,
  type GrantedConnection,
  type Lease,
  type LeaseChannel,
  LeaseRevoked,
  type Traffic,
  type Verdict,
} from './lease.ts'
import type { StreamLimit } from './stream-limit.ts'
import type { WaitingSources } from './waiting-sources.ts'

/**
 * Runs in the thread of the job. The connections to one host over which segments of large bodies are fetched. Sources come first: segments
 * get what no source waits for. Only while large bodies take turns, the first one gets what was granted for sources after it.
 *
 * States of a connection, and which calls lead from one to the next:
 *
 *   requested  `requestMore` asked the channel for it.
 *              granted -> held       by the body that has the most bytes left, or whose turn it is
 *              granted -> released   if a source waits meanwhile, or no body is worth a connection
 *   held       A body fetches segments over it while `mayGoOn`. One that was granted for a source begins here: `lendBefore` -> held.
 *              release -> released   by the body, also after the lease was aborted: by `revoked` of the host, by `end`, or because
 *                                    bodies arrive at once again
 *   released   The channel has it again: at once if it was never held, else by `SegmentHost.released`.
 *
 * `offer`, `stop`, `requestMore` and `measured` may come at any time. After `end`, connections are still granted and released.
 */
export class SegmentLeases {
  readonly #host: SegmentHost
  readonly #bodies: DivisibleBodies
  /** By the ids of the connections. */
  readonly #held = new Map<number, Lease>()
  /** The connections of `#held` that were granted for sources. */
  readonly #lent = new Set<number>()
  /** Requests that the pool has not answered yet. */
  #requestedCount = 0

  /** @param readerCount how many clients download the archive now */
  constructor(host: SegmentHost, readerCount: () => number) {
    this.#host = host
    this.#bodies = new DivisibleBodies(
      readerCount,
      () => host.received(0),
      () => this.#abortAll(new LeaseRevoked('bodies arrive at once again')),
    )
  }

  /** How many connections are held. */
  get count(): number {
    return this.#held.size
  }

  /** How many of these come before further sources: those that sources have lent or, while large bodies take turns, all. */
  get countBeforeSources(): number {
    if (this.#held.size === 0) return 0
    return this.#takesTurns ? this.#held.size : this.#lent.size
  }

  /** Whether no connection is held or requested, and no body is offered. */
  get isUnused(): boolean {
    return this.#held.size + this.#requestedCount + this.#bodies.count === 0
  }

  get(leaseId: number): Lease | undefined {
    return this.#held.get(leaseId)
  }

  /** As `LeaseQueue.offer`. */
  offer(body: DivisibleBody): Disposable {
    return this.#bodies.add(body)
  }

  /** As `LeaseQueue.stopSegments`. */
  stop(): void {
    this.#bodies.stop()
  }

  /** Requests what bodies can use, and no more. Called after the same for sources. */
  requestMore(): void {
    if (this.#bodies.count === 0) return
    const { name, channel, streamLimit, nowMs } = this.#host
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      this.#allows(this.#held.size + this.#requestedCount + 1) &&
      streamLimit.isWorthMore(nowMs()) &&
      this.#requestedCount < this.#bodies.wantedConnections(this.#traffic)
    ) {
      this.#requestedCount += 1
      channel.request(name, 'segment')
    }
    this.#bodies.holdBackLater(this.#traffic)
  }

  granted({ leaseId }: GrantedConnection): void {
    this.#requestedCount -= 1
    const body = this.#allows(this.#held.size + 1) ? this.#bodies.next(this.#traffic) : null
    if (body === null) this.#host.channel.release(leaseId, 'unknown')
    else body.fetchSegments(this.#lease(leaseId, body))
  }

  /**
   * Lends a connection that was granted for the source at this position to the body whose turn it is, if that comes before.
   * @returns whether it is lent
   */
  lendBefore(position: number, leaseId: number): boolean {
    if (this.#bodies.count === 0) return false
    const body = this.#bodies.before(position, this.#traffic)
    if (body === null) return false
    this.#lent.add(leaseId)
    body.fetchSegments(this.#lease(leaseId, body))
    return true
  }

  /** A window of the rate of the host has ended. */
  measured(): void {
    const { streamLimit, waiting, nowMs } = this.#host
    this.#bodies.measured(streamLimit.rate, waiting.isAnyHeldBack, nowMs())
  }

  /** The job has ended. */
  end(reason: unknown): void {
    this.#abortAll(reason)
    this.#bodies.end()
  }

  #lease(leaseId: number, body: DivisibleBody): Lease {
    const { name, received, released } = this.#host
    const lease: Lease = {
      host: name,
      aborter: new AbortController(),
      bodyIsLarge() {},
      received,
      mayGoOn: () => !lease.aborter.signal.aborted && this.#mayGoOn(leaseId, body),
      keepForNextSource: () => false,
      release: (verdict) => {
        if (!this.#held.delete(leaseId)) return
        this.#lent.delete(leaseId)
        released(leaseId, verdict)
      },
    }
    this.#held.set(leaseId, lease)
    return lease
  }

  #abortAll(reason: unknown): void {
    for (const { aborter } of this.#held.values()) aborter.abort(reason)
  }

  /** Whether so many segments may have connections. Sources come first. */
  #allows(count: number): boolean {
    const { waiting, streamLimit, sourceCount, isSourceRequested } = this.#host
    const isSourceWaiting = waiting.count > 0 || isSourceRequested()
    return !this.#bodies.isStopped && !isSourceWaiting && sourceCount() + count <= streamLimit.limit
  }

  #mayGoOn(leaseId: number, { position }: DivisibleBody): boolean {
    const { waiting, streamLimit, sourceCount } = this.#host
    if (!this.#lent.has(leaseId) || waiting.count === 0) return this.#allows(this.#held.size)
    const isWithinLimit = sourceCount() + this.#held.size <= streamLimit.limit
    return isWithinLimit && this.#takesTurns && waiting.areAllAfter(position)
  }

  get #traffic(): Traffic {
    const { largeBodies, streamLimit } = this.#host
    const streams = largeBodies.arriving + this.#held.size
    return { streams, streamBytesPerSecond: streamLimit.streamBytesPerSecond, isInTurns: this.#takesTurns }
  }

  /** Whether large bodies arrive one after the other. Small ones would wait for them, so only where most are large. */
  get #takesTurns(): boolean {
    const { largeBodies, waiting, streamLimit, nowMs } = this.#host
    return (
      this.#bodies.mayTakeTurns(nowMs()) &&
      streamLimit.isWorthMore(nowMs()) &&
      (largeBodies.areUsual || waiting.areAllHeldBack)
    )
  }
}

/** What segments share with the sources of their host, and tell it. */
export interface SegmentHost {
  /** `name:port` */
  readonly name: string
  readonly channel: LeaseChannel
  readonly waiting: WaitingSources
  readonly largeBodies: LargeBodies
  readonly streamLimit: StreamLimit
  /** A clock that never jumps. */
  readonly nowMs: () => number
  /** How many connections sources hold. */
  readonly sourceCount: () => number
  /** Whether one was requested for a source, and is not there yet. */
  readonly isSourceRequested: () => boolean
  /** Bytes of a segment have arrived. */
  readonly received: (bytes: number) => void
  /** A segment does not hold its connection any more: it must be returned to the channel. */
  readonly released: (leaseId: number, verdict: Verdict) => void
}
