import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { checkStatus } from '../../fetching/content/check-status.ts'
import { declaredLength } from '../../fetching/content/content-length.ts'
import { isPartAt, partHeaders } from '../../fetching/content/validator.ts'
import { type FetchContext, type FetchedResponse, fetchAgain } from '../../fetching/fetch-url.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import type { InPlaceBody } from '../bodies/in-place.ts'
import type { Segment, SegmentSizes } from '../bodies/segment-plan.ts'
import type { DivisibleSource, HostConnection } from '../connections/host-connection.ts'
import { type Divisible, isCut, LeaseRevoked, type Traffic } from '../connections/lease.ts'
import type { ProgressMeter } from '../progress-meter.ts'

/** What receiving a body uses of its job. */
export interface ReceivingJob {
  readonly fetchContext: FetchContext
  readonly archive: { readonly meter: Pick<ProgressMeter, 'received' | 'fetching'> }
}

/**
 * Receives a large body over several connections at once: the one of the response, which goes on as the first segment, and others to
 * the same host that no source needs. A segment is asked for at the URL that gave the body, with the same credentials, and counts only
 * if it is exactly the part that was asked for, of the same version.
 *
 * If one is not, no part is trusted: the response goes on alone to the end of the body. Once it has ended, the body starts over.
 * @param response brings the body, or its first missing bytes
 * @throws FetchFailure, or the reason why the connection must be released, when the body can't go on without a new attempt
 */
export async function receiveInSegments(
  job: ReceivingJob,
  body: InPlaceBody,
  response: FetchedResponse,
  connection: HostConnection,
): Promise<void> {
  const source = new SegmentedSource(job, body, response, connection)
  // With a limited rate, further connections bring nothing more, and what they read beyond their segments is lost.
  using _offer = job.fetchContext.client.isLimited ? null : connection.offer(source)
  await source.receive(response)
}

/**
 * An attempt to receive a body in segments, which goes through these states:
 *
 *   first       the response brings its segment, and further connections fetch others beside it
 *   rest        that segment is there: the connection of the source asks for others, too. When none is left, it is released, and waits
 *   alone       in `first`, a part was not what was asked for: the response goes on to the end of the body
 *   over        the body is whole, or the attempt has failed: all further connections are ended, and released
 *
 * `receive` is called once. `divisible`, `fetchSegments` and `holdBack` may be called at any time: when over, they change nothing.
 */
class SegmentedSource implements DivisibleSource {
  readonly #job: ReceivingJob
  readonly #body: InPlaceBody
  readonly #from: Pick<FetchedResponse, 'url' | 'credentials'>
  /** The connection of the source. */
  readonly #own: HostConnection
  /** The segment of the first response, while it could go on to the end of the body. */
  #first: Segment | null = null
  /** Whether the host has given a part as it was asked. */
  #isProven = false
  /** The further connections, and what each does. */
  readonly #further = new Map<HostConnection, Promise<void>>()
  /** What ends this attempt. */
  #failure: Error | null = null
  #isOver = false
  #traffic: Traffic = { streams: 1, streamBytesPerSecond: 0, isInTurns: false }
  #changed = Promise.withResolvers<void>()

  constructor(job: ReceivingJob, body: InPlaceBody, from: FetchedResponse, own: HostConnection) {
    this.#job = job
    this.#body = body
    this.#from = from
    this.#own = own
  }

  async receive(response: FetchedResponse): Promise<void> {
    try {
      await this.#receiveFirst(response)
      await this.#receiveRest()
    } finally {
      this.#isOver = true
      this.#endFurther()
      await Promise.all(this.#further.values())
    }
  }

  divisible(traffic: Traffic): Divisible {
    this.#traffic = traffic
    if (this.#isOver || this.#failure !== null) return NOTHING
    // A host that gives no parts is asked for one only.
    if (!this.#isProven && this.#further.size > 0) return NOTHING
    const sizes = this.#sizes()
    const bytes = this.#body.plan.divisibleBytes(sizes)
    const connections = Math.ceil(bytes / sizes.leastBytes)
    return { bytes, connections: this.#isProven ? connections : Math.min(connections, 1) }
  }

  fetchSegments(connection: HostConnection): void {
    const ended = this.#fetchFurther(connection).finally(() => {
      this.#further.delete(connection)
      this.#changed.resolve()
    })
    this.#further.set(connection, ended)
  }

  holdBack(): void {
    if (!this.#isOver) this.#endAttempt(new LeaseRevoked('an earlier file comes first'))
  }

  async #receiveFirst(response: SourceResponse): Promise<void> {
    const { plan } = this.#body
    const segment = plan.takeFirst()
    if (segment === null) throw new RangeError('a body is whole before its response')
    if (segment.end === plan.totalBytes) this.#first = segment
    this.#isProven = response.status === 206
    try {
      await this.#writeSegment(segment, response, this.#own, segment.end)
    } catch (error) {
      if (!(error instanceof PartMisfit)) throw error
      if (response.status !== 206) throw new FetchFailure('Malformed response')
      this.#first = null
      this.#partsMisfit(this.#own)
      throw this.#failure
    } finally {
      this.#first = null
      plan.release(segment)
      // Others may fetch the rest of it. Its connection must not stay open until the body is whole.
      response[Symbol.dispose]()
    }
  }

  /** Fetches what is missing on the connection of the source, or waits for the others. */
  async #receiveRest(): Promise<void> {
    const connection = this.#own
    const { plan } = this.#body
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      if (plan.isWhole) return
      const segment = plan.take(this.#sizes())
      if (segment === null) {
        connection.release('healthy')
        await this.#untilChanged()
        continue
      }
      try {
        await this.#fetchSegment(segment, connection)
      } catch (error) {
        if (error instanceof PartMisfit) this.#partsMisfit(connection)
        else if (!isOfConnection(error) || this.#further.size === 0) throw error
        connection.releaseAfter(error)
        if (this.#failure === null) await this.#untilChanged()
      }
    }
  }

  /** Fetches segments on a further connection. Never rejects. */
  async #fetchFurther(connection: HostConnection): Promise<void> {
    try {
      do {
        const segment = this.#isOver ? null : this.#body.plan.take(this.#sizes())
        if (segment === null) break
        await this.#fetchSegment(segment, connection)
      } while (connection.mayGoOn())
      connection.release('healthy')
    } catch (error) {
      if (error instanceof PartMisfit) this.#partsMisfit(connection)
      else if (!isOfConnection(error))
        this.#endAttempt(error instanceof Error ? error : new Error(String(error)))
      connection.releaseAfter(error)
    }
  }

  async #fetchSegment(segment: Segment, connection: HostConnection): Promise<void> {
    const { facts, plan } = this.#body
    const { validators, modifiedAtMs, declaredBytes: totalBytes } = facts
    const part = { ...validators, modifiedAtMs, totalBytes, startByte: segment.at, endByte: segment.end }
    try {
      const headers = partHeaders(part)
      if (headers === null) throw new RangeError('a body without a strong validator was divided')
      using response = await fetchAgain(this.#from, headers, this.#job.fetchContext, connection)
      connection.answered()
      const { status, headers: answered } = response
      if (MAY_PASS.has(status)) checkStatus({ status, headers: answered, logins: [] })
      // What a chunked part holds would be known only at its end, when its bytes may be in a checkpoint already.
      if (!isPartAt(part, response) || declaredLength(response.headers) === null)
        throw new PartMisfit('a part is not what was asked for')
      this.#isProven = true
      await this.#writeSegment(segment, response, connection, part.endByte)
    } finally {
      if (plan.has(segment)) plan.release(segment)
    }
  }

  /** @param endByte where the response ends in the body. The segment may come to end before that. */
  async #writeSegment(
    segment: Segment,
    response: SourceResponse,
    connection: HostConnection,
    endByte: number,
  ): Promise<void> {
    const { meter } = this.#job.archive
    const { facts, plan } = this.#body
    // When it is cut, nothing is lost: another request brings the rest of the segment.
    connection.receives(() => true)
    connection.bodyIsLarge()
    meter.fetching(facts, this.#body.receivedBytes)
    for await (const piece of response.body) {
      connection.received(piece.length)
      if (!plan.has(segment)) throw new SegmentsOver()
      meter.received(piece.length)
      const isLast = segment.end < endByte && piece.length >= segment.end - segment.at
      if (isLast && segment === this.#first && !this.#isProven) this.#goOnAlone(segment)
      const missingBytes = segment.end - segment.at
      if (piece.length > missingBytes && segment.end === endByte)
        throw new PartMisfit('a part is longer than it says')
      this.#body.writeTo(segment, piece.length > missingBytes ? piece.subarray(0, missingBytes) : piece)
      // When the last byte is here, the entry is soon reported as stored.
      if (!plan.isWhole) meter.fetching(facts, this.#body.receivedBytes)
      // Other connections have taken what follows, so to read on would fetch it twice.
      if (segment.at === segment.end && segment.end < endByte) return
    }
    if (segment.at < segment.end) throw new PartMisfit('a part is shorter than it says')
  }

  /** No part is trusted any more. */
  #partsMisfit(connection: HostConnection): void {
    connection.stopSegments()
    if (this.#isOver) return
    if (this.#first !== null) this.#goOnAlone(this.#first)
    else this.#startOver()
  }

  #startOver(): void {
    this.#body.mustStartOver()
    this.#endAttempt(new FetchFailure('Source changed during the download', { retryable: true }))
  }

  /** The first response brings the rest of the body. */
  #goOnAlone(first: Segment): void {
    this.#body.extendToEnd(first)
    this.#endFurther()
  }

  #endAttempt(failure: Error): void {
    this.#failure ??= failure
    this.#own.end(failure)
    this.#endFurther()
    this.#changed.resolve()
  }

  #endFurther(): void {
    for (const connection of this.#further.keys()) connection.end(new SegmentsOver())
  }

  /** Resolves when a further connection has ended, or the attempt. */
  async #untilChanged(): Promise<void> {
    await this.#changed.promise
    this.#changed = Promise.withResolvers<void>()
  }

  #sizes(): SegmentSizes {
    const { streams, streamBytesPerSecond, isInTurns } = this.#traffic
    const leastSeconds = isInTurns ? LEAST_SECONDS_IN_TURNS : LEAST_SECONDS
    const { totalBytes, receivedBytes } = this.#body.plan
    const leastBytes = Math.ceil(Math.max(LEAST_BYTES, streamBytesPerSecond * leastSeconds))
    const shareBytes = Math.ceil((totalBytes - receivedBytes) / (streams + 1))
    return {
      leastBytes,
      usualBytes: Math.max(leastBytes, Math.min(shareBytes, Math.ceil(streamBytesPerSecond * USUAL_SECONDS))),
    }
  }
}

/** The part is another one, or of another version, or no part at all. */
class PartMisfit extends Error {
  override readonly name = 'PartMisfit'
}

/** Ends the requests for segments that nobody needs any more. */
class SegmentsOver extends Error {
  override readonly name = 'SegmentsOver'
}

/** Whether an error concerns one connection, so that the others can go on. */
function isOfConnection(error: unknown): boolean {
  return isCut(error) || error instanceof FetchFailure || error instanceof SegmentsOver
}

const NOTHING: Divisible = { bytes: 0, connections: 0 }

/** Statuses that say nothing about parts: the host has too much to do. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** A connection fetches a segment for about so long. Each costs a round trip. */
const USUAL_SECONDS = 3
/** Less is not worth a request. */
const LEAST_SECONDS = 1
const LEAST_SECONDS_IN_TURNS = 0.3
const LEAST_BYTES = 256 * 1024
