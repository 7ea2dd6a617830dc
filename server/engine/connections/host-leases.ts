import { LargeBodies } from './large-bodies.ts'
import {
  type DivisibleBody,
  type GrantedConnection,
  type Lease,
  type LeaseChannel,
  LeaseRevoked,
  type LeaseWish,
  type Verdict,
} from './lease.ts'
import { SegmentLeases } from './segment-leases.ts'
import { SourceLimit } from './source-limit.ts'
import { StreamLimit } from './stream-limit.ts'
import { WaitingSources } from './waiting-sources.ts'

/**
 * Runs in the thread of the job. Which sources of the job wait for a connection to one host, and which hold one. Those of segments of
 * large bodies are in `SegmentLeases`.
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
  /** Requests that the pool has not answered yet. */
  #requestedCount = 0
  readonly #segments: SegmentLeases

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
    this.#segments = new SegmentLeases(
      {
        name: host,
        channel,
        waiting: this.#waiting,
        largeBodies: this.#largeBodies,
        streamLimit: this.#streamLimit,
        nowMs,
        sourceCount: () => this.#sources.size,
        isSourceRequested: () => this.#requestedCount > 0,
        received: (bytes) => this.#received(bytes),
        released: (leaseId, verdict) => this.#segmentReleased(leaseId, verdict),
      },
      readerCount,
    )
  }

  lease(wish: LeaseWish): Promise<Lease> {
    const granted = this.#waiting.add(wish)
    this.#requestMore()
    return granted
  }

  /** As `LeaseQueue.offer`. */
  offer(body: DivisibleBody): Disposable {
    return this.#segments.offer(body)
  }

  /** As `LeaseQueue.stopSegments`. */
  stopSegments(): void {
    this.#segments.stop()
  }

  granted(grant: GrantedConnection): void {
    if (grant.use === 'source') this.#grantedForSource(grant)
    else this.#segments.granted(grant)
  }

  revoked({ leaseId }: GrantedConnection): void {
    const lease = this.#sources.get(leaseId) ?? this.#segments.get(leaseId)
    lease?.aborter.abort(new LeaseRevoked('the connection is needed for others'))
  }

  end(reason: unknown): void {
    this.#waiting.rejectAll(reason)
    for (const { aborter } of this.#sources.values()) aborter.abort(reason)
    this.#segments.end(reason)
  }

  /** Requests what the job can use, and no more: further requests would only wait in the pool. */
  #requestMore(): void {
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      this.#requestedCount < Math.min(this.#waiting.count, this.#maxCount) &&
      this.#allowsSources(this.#sources.size + this.#requestedCount + 1)
    ) {
      this.#requestedCount += 1
      this.#channel.request(this.#host, 'source')
    }
    this.#segments.requestMore()
  }

  #grantedForSource({ leaseId }: GrantedConnection): void {
    this.#requestedCount -= 1
    const grantedAtMs = this.#nowMs()
    this.#firstGrantedMs ??= grantedAtMs
    this.#sourceLimit.began(grantedAtMs)
    const connection = { leaseId, grantedAtMs, aborter: new AbortController() }
    if (!this.#handOver(connection)) this.#channel.release(leaseId, 'unknown')
  }

  /** Gives a connection to the first source that waits, or lends it to a large body before that. False if none may have it. */
  #handOver(connection: SourceConnection): boolean {
    if (!this.#allowsSources(this.#sources.size + 1)) return false
    const waiter = this.#waiting.next
    if (waiter === undefined) return false
    if (this.#segments.lendBefore(waiter.position, connection.leaseId)) {
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

  #segmentReleased(leaseId: number, verdict: Verdict): void {
    this.#noteVerdict(verdict)
    this.#channel.release(leaseId, verdict)
    this.#requestMore()
  }

  /** Whether so many sources may have connections. */
  #allowsSources(count: number): boolean {
    const { limit } = this.#streamLimit
    // A body that has not begun may be large or small.
    const isWithinLimit = count - this.#largeBodies.arriving <= Math.max(this.#sourceLimit.limit, limit)
    const expected = this.#largeBodies.expectedOn(count) + this.#segments.countBeforeSources
    return isWithinLimit && expected <= limit
  }

  /** When a connection that the pool granted at `grantedAtMs` must be returned to it at the next chance. */
  #sharedAtMs(grantedAtMs: number): number {
    const knownMs = grantedAtMs - (this.#firstGrantedMs ?? grantedAtMs)
    return grantedAtMs + Math.min(Math.max(knownMs, FIRST_REUSE_MS), REUSE_MS)
  }

  #received(bytes: number): void {
    const limitBefore = this.#streamLimit.limit
    const isFull = this.#largeBodies.expectedOn(this.#sources.size + 1) + this.#segments.count > limitBefore
    const streams = this.#largeBodies.arriving + this.#segments.count
    if (!this.#streamLimit.received(bytes, { streams, isFull }, this.#nowMs())) return
    this.#segments.measured()
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
    const usedCount = this.#sources.size + this.#waiting.count + this.#requestedCount
    if (usedCount === 0 && this.#segments.isUnused && !this.#hasRefused) this.#onUnused()
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
