import { BodyTurns } from './body-turns.ts'
import { LargeBodies } from './large-bodies.ts'
import {
  type DivisibleBody,
  type Grant,
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

/** Runs in the thread of the job. Who of the job waits for a connection to one host, and who holds one. */
export class HostLeases {
  readonly #host: string
  readonly #channel: LeaseChannel
  readonly #maxCount: number
  readonly #nowMs: () => number
  readonly #onUnused: () => void
  readonly #waiting = new WaitingSources()
  /** By the ids of their connections. */
  readonly #held = new Map<number, Lease>()
  readonly #largeBodies = new LargeBodies()
  readonly #streamLimit = new StreamLimit()
  readonly #sourceLimit: SourceLimit
  readonly #divisible = new Set<DivisibleBody>()
  #allowsSegments = true
  /** Those of `#held` that are for segments. */
  readonly #segments = new Set<Lease>()
  /** Those of `#segments` that were granted for sources. */
  readonly #lent = new Set<Lease>()
  readonly #turns: BodyTurns
  /** Requests for sources that the pool has not answered yet. */
  #requestedCount = 0
  #requestedSegments = 0
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
    this.#turns = new BodyTurns(
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

  granted(grant: Grant): void {
    if (grant.use === 'segment') this.#segmentGranted(grant)
    else this.#sourceGranted(grant)
  }

  #sourceGranted({ leaseId }: Grant): void {
    this.#requestedCount -= 1
    const grantedAtMs = this.#nowMs()
    this.#firstGrantedMs ??= grantedAtMs
    this.#sourceLimit.began(grantedAtMs)
    const connection = { leaseId, grantedAtMs, aborter: new AbortController() }
    if (!this.#handOver(connection)) this.#channel.release(leaseId, 'unknown')
  }

  revoked({ leaseId }: Grant): void {
    this.#held.get(leaseId)?.aborter.abort(new LeaseRevoked('the connection is needed for others'))
  }

  offer(body: DivisibleBody): Disposable {
    this.#divisible.add(body)
    return {
      [Symbol.dispose]: () => {
        this.#divisible.delete(body)
        this.#turns.ended(body)
      },
    }
  }

  stopSegments(): void {
    this.#allowsSegments = false
  }

  end(reason: unknown): void {
    this.#waiting.rejectAll(reason)
    for (const { aborter } of this.#held.values()) aborter.abort(reason)
    this.#turns.end()
  }

  /** Gives a connection to the first source that waits. False if none may have it. */
  #handOver(connection: SourceConnection): boolean {
    if (!this.#allowsSources(this.#sourceCount + 1)) return false
    const waiter = this.#waiting.next
    if (waiter === undefined) return false
    const body = this.#bodyBefore(waiter.position)
    if (body !== null) {
      body.fetchSegments(this.#holdSegment({ leaseId: connection.leaseId, use: 'source' }, body))
      this.#requestMore()
      return true
    }
    this.#waiting.remove(waiter)
    waiter.resolve(this.#hold(connection))
    return true
  }

  /** Whether large bodies arrive one after the other. Small ones would wait for them, so only where most are large. */
  #takesTurns(): boolean {
    const nowMs = this.#nowMs()
    return (
      this.#turns.areTaken(nowMs) &&
      this.#allowsSegments &&
      this.#streamLimit.isWorthMore(nowMs) &&
      (this.#largeBodies.areUsual || this.#waiting.areAllHeldBack)
    )
  }

  /** The body that gets the connection of a source while bodies take turns. */
  #bodyBefore(position: number): DivisibleBody | null {
    if (!this.#takesTurns()) return null
    const body = this.#turns.first(this.#divisible, this.#traffic())
    return body !== null && body.position < position ? body : null
  }

  #endSegments(): void {
    for (const { aborter } of this.#segments) aborter.abort(new LeaseRevoked('bodies arrive at once again'))
  }

  get #sourceCount(): number {
    return this.#held.size - this.#segments.size
  }

  get #streams(): number {
    return this.#largeBodies.arriving + this.#segments.size
  }

  #traffic(): Traffic {
    return { streams: this.#streams, streamRate: this.#streamLimit.streamRate, isInTurns: this.#takesTurns() }
  }

  #allowsSources(count: number): boolean {
    const { limit } = this.#streamLimit
    // A body that has not begun may be large or small.
    const isWithinLimit = count - this.#largeBodies.arriving <= Math.max(this.#sourceLimit.limit, limit)
    const lent = this.#takesTurns() ? this.#segments.size : this.#lent.size
    return isWithinLimit && this.#largeBodies.expectedOn(count) + lent <= limit
  }

  #smallBodyEnded(): void {
    this.#largeBodies.smallBodyEnded()
    this.#sourceLimit.answered(this.#waiting.count > 0, this.#nowMs())
  }

  #received(bytes: number): void {
    const limitBefore = this.#streamLimit.limit
    const isFull = this.#largeBodies.expectedOn(this.#sourceCount + 1) + this.#segments.size > limitBefore
    if (!this.#streamLimit.received(bytes, { streams: this.#streams, isFull }, this.#nowMs())) return
    this.#turns.measured(this.#streamLimit.rate, this.#waiting.isAnyHeldBack, this.#nowMs())
    const { limit } = this.#streamLimit
    if (limit > limitBefore) this.#channel.raise(this.#host, limit)
    this.#requestMore()
  }

  /** Whether segments may arrive on this many connections. Sources come first. */
  #allowsSegmentsOn(segments: number): boolean {
    const isSourceWaiting = this.#waiting.count > 0 || this.#requestedCount > 0
    const isWithinLimit = this.#sourceCount + segments <= this.#streamLimit.limit
    return this.#allowsSegments && !isSourceWaiting && isWithinLimit
  }

  #allowsAnotherSegment(): boolean {
    const segments = this.#segments.size + this.#requestedSegments + 1
    return this.#streamLimit.isWorthMore(this.#nowMs()) && this.#allowsSegmentsOn(segments)
  }

  /** The divisible body with the most bytes left, or the first one while bodies take turns; null if none is worth a connection. */
  #nextDivisible(): DivisibleBody | null {
    const first = this.#takesTurns() ? this.#turns.first(this.#divisible, this.#traffic()) : null
    if (first !== null) return first
    let most: DivisibleBody | null = null
    let mostBytes = 0
    const traffic = this.#traffic()
    for (const body of this.#divisible) {
      const { bytes, connections } = body.divisible(traffic)
      if (connections > 0 && bytes > mostBytes) [most, mostBytes] = [body, bytes]
    }
    return most
  }

  /** How many more connections all divisible bodies are worth. */
  #wantedSegments(): number {
    const traffic = this.#traffic()
    return [...this.#divisible].reduce((sum, body) => sum + body.divisible(traffic).connections, 0)
  }

  #segmentGranted(grant: Grant): void {
    this.#requestedSegments -= 1
    const body = this.#allowsSegmentsOn(this.#segments.size + 1) ? this.#nextDivisible() : null
    if (body === null) this.#channel.release(grant.leaseId, 'unknown')
    else body.fetchSegments(this.#holdSegment(grant, body))
  }

  /** @param use what the connection was granted for */
  #holdSegment({ leaseId, use }: Pick<Grant, 'leaseId' | 'use'>, body: DivisibleBody): Lease {
    const lease: Lease = {
      host: this.#host,
      aborter: new AbortController(),
      bodyIsLarge() {},
      received: (bytes) => this.#received(bytes),
      traffic: () => this.#traffic(),
      keepForNextSource: () => false,
      mayGoOn: () => !lease.aborter.signal.aborted && this.#maySegmentGoOn(use, body),
      release: (verdict) => {
        if (!this.#isHeld(leaseId, lease)) return
        this.#held.delete(leaseId)
        this.#segments.delete(lease)
        this.#lent.delete(lease)
        this.#noteVerdict(verdict)
        this.#channel.release(leaseId, verdict)
        this.#requestMore()
      },
    }
    this.#held.set(leaseId, lease)
    this.#segments.add(lease)
    if (use === 'source') this.#lent.add(lease)
    return lease
  }

  #maySegmentGoOn(use: Grant['use'], { position }: DivisibleBody): boolean {
    if (use === 'segment' || this.#waiting.count === 0) return this.#allowsSegmentsOn(this.#segments.size)
    const isWithinLimit = this.#sourceCount + this.#segments.size <= this.#streamLimit.limit
    return isWithinLimit && this.#takesTurns() && this.#waiting.areAllAfter(position)
  }

  #noteUse(): void {
    const requestedCount = this.#requestedCount + this.#requestedSegments
    const usedCount = this.#held.size + this.#waiting.count + requestedCount + this.#divisible.size
    if (usedCount === 0 && !this.#hasRefused) this.#onUnused()
  }

  #noteVerdict(verdict: Verdict): void {
    if (typeof verdict === 'object') this.#hasRefused = true
    if (typeof verdict !== 'object' && verdict !== 'strained') return
    this.#streamLimit.complained(this.#nowMs())
    this.#sourceLimit.complained(this.#nowMs())
  }

  #hold(connection: SourceConnection): Lease {
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
      traffic: () => this.#traffic(),
      mayGoOn: () => !aborter.signal.aborted,
      keepForNextSource: () => {
        // Only `release` counts the end of a large body.
        if (isLarge || !isReusable() || !this.#allowsSources(this.#sourceCount)) return false
        this.#smallBodyEnded()
        this.#requestMore()
        return true
      },
      release: (verdict) => {
        if (!this.#isHeld(leaseId, lease)) return
        this.#held.delete(leaseId)
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
    this.#held.set(leaseId, lease)
    return lease
  }

  /** False for a lease that was released: the next lease may have its connection. */
  #isHeld(leaseId: number, lease: Lease): boolean {
    return this.#held.get(leaseId) === lease
  }

  /** When a connection that the pool granted at `grantedAtMs` must be returned to it at the next chance. */
  #sharedAtMs(grantedAtMs: number): number {
    const knownMs = grantedAtMs - (this.#firstGrantedMs ?? grantedAtMs)
    return grantedAtMs + Math.min(Math.max(knownMs, FIRST_REUSE_MS), REUSE_MS)
  }

  #requestMore(): void {
    // Compared anew each time, since the channel may grant a connection at once.
    while (
      this.#requestedCount < Math.min(this.#waiting.count, this.#maxCount) &&
      this.#allowsSources(this.#sourceCount + this.#requestedCount + 1)
    ) {
      this.#requestedCount += 1
      this.#channel.request(this.#host, 'source')
    }
    while (this.#allowsAnotherSegment() && this.#requestedSegments < this.#wantedSegments()) {
      this.#requestedSegments += 1
      this.#channel.request(this.#host, 'segment')
    }
    if (this.#takesTurns()) this.#turns.makeWay(this.#divisible, this.#traffic())
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
