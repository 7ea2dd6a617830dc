import { DivisibleBodies } from './divisible-bodies.ts'
import { LargeBodies } from './large-bodies.ts'
import {
  type DivisibleBody,
  type GrantedConnection,
  type Lease,
  type LeaseChannel,
  LeaseRevoked,
  type LeaseWish,
  type Traffic,
  type Verdict,
} from './lease.ts'
import { SourceLimit } from './source-limit.ts'
import { StreamLimit } from './stream-limit.ts'
import { WaitingSources } from './waiting-sources.ts'

/**
 * Runs in the thread of the job. Who of the job waits for a connection to one host, and who holds one.
 *
 * States of the host, and which calls may come in which (those of one connection stand in `lease.ts`):
 *
 *   unused   nobody waits for a connection, holds one or was promised one. `lease` -> used. So the queue may forget the host, unless
 *            that has asked its clients to wait.
 *   used     all calls, in any order. `granted` comes once per request to the channel, perhaps within it; `revoked` only after the
 *            grant. When the last connection of a source is released, and nothing else is left -> unused, and `onUnused` is called.
 *   ended    `end` was called: who waited was rejected, and all leases are aborted. Their holders still release them, and
 *            connections that are granted now are returned. `lease` is not called any more.
 */
export class HostLeases {
  readonly #host: string
  readonly #channel: LeaseChannel
  readonly #maxCount: number
  readonly #nowMs: () => number
  readonly #onUnused: () => void

  readonly #waiting = new WaitingSources()
  /** What sources hold, by the ids of the connections. */
  readonly #sources = new Map<number, Lease>()
  /** What segments of large bodies hold. */
  readonly #segments = new Map<number, Lease>()
  /** The connections of `#segments` that were granted for sources. */
  readonly #lent = new Set<number>()
  /** Requests that the pool has not answered yet. */
  #requestedSources = 0
  #requestedSegments = 0

  readonly #divisible: DivisibleBodies
  readonly #largeBodies = new LargeBodies()
  readonly #streamLimit = new StreamLimit()
  readonly #sourceLimit: SourceLimit
  /** When the pool granted the first connection. */
  #firstGrantedMs: number | null = null
  /** Whether the host has asked its clients to wait: since then, only the pool knows when the next request may be sent. */
  #hasRefused = false

  /** @param onUnused called when no source of the host waits for a connection or holds one */
  constructor(
    host: string,
    channel: LeaseChannel,
    { maxCount, nowMs, readerCount }: LeaseLimits,
    onUnused: () => void,
  ) {
    this.#host = host
    this.#channel = channel
    this.#maxCount = maxCount
    this.#sourceLimit = new SourceLimit(maxCount)
    this.#nowMs = nowMs
    this.#onUnused = onUnused
    this.#divisible = new DivisibleBodies(
      readerCount,
      () => this.#received(0),
      () => this.#endSegments(),
    )
  }

  lease(wish: LeaseWish): Promise<Lease> {
    const granted = this.#waiting.add(wish)
    this.#requestMore()
    return granted
  }

  /** As `LeaseQueue.offer`. */
  offer(body: DivisibleBody): Disposable {
    return this.#divisible.add(body)
  }

  stopSegments(): void {
    this.#divisible.stop()
  }

  granted(grant: GrantedConnection): void {
    if (grant.use === 'source') this.#grantedForSource(grant)
    else this.#grantedForSegment(grant)
  }

  revoked({ leaseId }: GrantedConnection): void {
    const lease = this.#sources.get(leaseId) ?? this.#segments.get(leaseId)
    lease?.aborter.abort(new LeaseRevoked('the connection is needed for others'))
  }

  end(reason: unknown): void {
    this.#waiting.rejectAll(reason)
    for (const { aborter } of [...this.#sources.values(), ...this.#segments.values()]) aborter.abort(reason)
    this.#divisible.end()
  }

  /** Requests what the job can use, and no more: further requests would only wait in the pool. */
  #requestMore(): void {
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      this.#requestedSources < Math.min(this.#waiting.count, this.#maxCount) &&
      this.#allowsSources(this.#sources.size + this.#requestedSources + 1)
    ) {
      this.#requestedSources += 1
      this.#channel.request(this.#host, 'source')
    }
    while (
      this.#allowsSegments(this.#segments.size + this.#requestedSegments + 1) &&
      this.#streamLimit.isWorthMore(this.#nowMs()) &&
      this.#requestedSegments < this.#divisible.wantedConnections(this.#traffic())
    ) {
      this.#requestedSegments += 1
      this.#channel.request(this.#host, 'segment')
    }
    this.#divisible.holdBackLater(this.#traffic())
  }

  #grantedForSource({ leaseId }: GrantedConnection): void {
    this.#requestedSources -= 1
    const grantedAtMs = this.#nowMs()
    this.#firstGrantedMs ??= grantedAtMs
    this.#sourceLimit.began(grantedAtMs)
    const connection = { leaseId, grantedAtMs, aborter: new AbortController() }
    if (!this.#handOver(connection)) this.#channel.release(leaseId, 'unknown')
  }

  #grantedForSegment(grant: GrantedConnection): void {
    this.#requestedSegments -= 1
    const mayHave = this.#allowsSegments(this.#segments.size + 1)
    const body = mayHave ? this.#divisible.next(this.#traffic()) : null
    if (body === null) this.#channel.release(grant.leaseId, 'unknown')
    else body.fetchSegments(this.#leaseForSegment(grant, body))
  }

  /** Gives a connection to the first source that waits, or lends it to a body before that. False if none may have it. */
  #handOver(connection: SourceConnection): boolean {
    if (!this.#allowsSources(this.#sources.size + 1)) return false
    const waiter = this.#waiting.next
    if (waiter === undefined) return false
    const body = this.#divisible.before(waiter.position, this.#traffic())
    if (body !== null) {
      const { leaseId } = connection
      this.#lent.add(leaseId)
      body.fetchSegments(this.#leaseForSegment({ leaseId, use: 'source' }, body))
      this.#requestMore()
      return true
    }
    this.#waiting.remove(waiter)
    waiter.resolve(this.#leaseForSource(connection))
    return true
  }

  #leaseForSource(connection: SourceConnection): Lease {
    const { leaseId, grantedAtMs, aborter } = connection
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
      received: (bytes) => {
        if (isLarge) this.#received(bytes)
      },
      mayGoOn: () => !aborter.signal.aborted,
      keepForNextSource: () => {
        // Only `release` counts the end of a large body.
        if (isLarge || !isReusable() || !this.#allowsSources(this.#sources.size)) return false
        this.#smallBodyEnded()
        this.#requestMore()
        return true
      },
      release: (verdict) => {
        // When it was released before, the next lease may have its connection.
        if (this.#sources.get(leaseId) !== lease) return
        this.#sources.delete(leaseId)
        const isHealthy = verdict === 'healthy'
        if (isLarge) largeBodies.ended()
        else if (isHealthy) this.#smallBodyEnded()
        this.#noteVerdict(verdict)
        const isHandedOver = isHealthy && isReusable() && this.#handOver(connection)
        if (!isHandedOver) this.#channel.release(leaseId, verdict)
        this.#requestMore()
        this.#noteUse()
      },
    }
    this.#sources.set(leaseId, lease)
    return lease
  }

  /** @param use what the connection was granted for */
  #leaseForSegment({ leaseId, use }: Pick<GrantedConnection, 'leaseId' | 'use'>, body: DivisibleBody): Lease {
    const lease: Lease = {
      host: this.#host,
      aborter: new AbortController(),
      bodyIsLarge() {},
      received: (bytes) => this.#received(bytes),
      mayGoOn: () => !lease.aborter.signal.aborted && this.#maySegmentGoOn(use, body),
      keepForNextSource: () => false,
      release: (verdict) => {
        if (!this.#segments.delete(leaseId)) return
        this.#lent.delete(leaseId)
        this.#noteVerdict(verdict)
        this.#channel.release(leaseId, verdict)
        this.#requestMore()
      },
    }
    this.#segments.set(leaseId, lease)
    return lease
  }

  #endSegments(): void {
    for (const { aborter } of this.#segments.values())
      aborter.abort(new LeaseRevoked('bodies arrive at once again'))
  }

  /** Whether so many sources may have connections. */
  #allowsSources(count: number): boolean {
    const { limit } = this.#streamLimit
    // A body that has not begun may be large or small.
    const isWithinLimit = count - this.#largeBodies.arriving <= Math.max(this.#sourceLimit.limit, limit)
    const lent = this.#takesTurns() ? this.#segments.size : this.#lent.size
    return isWithinLimit && this.#largeBodies.expectedOn(count) + lent <= limit
  }

  /** Whether so many segments may have connections. Sources come first. */
  #allowsSegments(count: number): boolean {
    const isSourceWaiting = this.#waiting.count > 0 || this.#requestedSources > 0
    const isWithinLimit = this.#sources.size + count <= this.#streamLimit.limit
    return !this.#divisible.isStopped && !isSourceWaiting && isWithinLimit
  }

  #maySegmentGoOn(use: GrantedConnection['use'], { position }: DivisibleBody): boolean {
    if (use === 'segment' || this.#waiting.count === 0) return this.#allowsSegments(this.#segments.size)
    const isWithinLimit = this.#sources.size + this.#segments.size <= this.#streamLimit.limit
    return isWithinLimit && this.#takesTurns() && this.#waiting.areAllAfter(position)
  }

  /** Whether large bodies arrive one after the other. Small ones would wait for them, so only where most are large. */
  #takesTurns(): boolean {
    const nowMs = this.#nowMs()
    return (
      this.#divisible.mayTakeTurns(nowMs) &&
      this.#streamLimit.isWorthMore(nowMs) &&
      (this.#largeBodies.areUsual || this.#waiting.areAllHeldBack)
    )
  }

  /** When a connection that the pool granted at `grantedAtMs` must be returned to it at the next chance. */
  #sharedAtMs(grantedAtMs: number): number {
    const knownMs = grantedAtMs - (this.#firstGrantedMs ?? grantedAtMs)
    return grantedAtMs + Math.min(Math.max(knownMs, FIRST_REUSE_MS), REUSE_MS)
  }

  get #streams(): number {
    return this.#largeBodies.arriving + this.#segments.size
  }

  #traffic(): Traffic {
    return { streams: this.#streams, streamRate: this.#streamLimit.streamRate, isInTurns: this.#takesTurns() }
  }

  #received(bytes: number): void {
    const limitBefore = this.#streamLimit.limit
    const isFull = this.#largeBodies.expectedOn(this.#sources.size + 1) + this.#segments.size > limitBefore
    if (!this.#streamLimit.received(bytes, { streams: this.#streams, isFull }, this.#nowMs())) return
    this.#divisible.measured(this.#streamLimit.rate, this.#waiting.isAnyHeldBack, this.#nowMs())
    const { limit } = this.#streamLimit
    if (limit > limitBefore) this.#channel.raise(this.#host, limit)
    this.#requestMore()
  }

  #smallBodyEnded(): void {
    this.#largeBodies.smallBodyEnded()
    this.#sourceLimit.answered(this.#waiting.count > 0, this.#nowMs())
  }

  #noteVerdict(verdict: Verdict): void {
    if (typeof verdict === 'object') this.#hasRefused = true
    if (typeof verdict !== 'object' && verdict !== 'strained') return
    this.#streamLimit.complained(this.#nowMs())
    this.#sourceLimit.complained(this.#nowMs())
  }

  #noteUse(): void {
    const heldCount = this.#sources.size + this.#segments.size
    const requestedCount = this.#requestedSources + this.#requestedSegments
    const usedCount = heldCount + this.#waiting.count + requestedCount + this.#divisible.count
    if (usedCount === 0 && !this.#hasRefused) this.#onUnused()
  }
}

/** A connection that was granted for a source. The leases that follow each other on it share its controller. */
interface SourceConnection {
  readonly leaseId: number
  readonly grantedAtMs: number
  readonly aborter: AbortController
}

/** What bounds the connections of a job to a host. */
export interface LeaseLimits {
  /** The most that the host ever gets. */
  readonly maxCount: number
  /** A clock that never jumps. */
  readonly nowMs: () => number
  /** How many clients download the archive now. */
  readonly readerCount: () => number
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
