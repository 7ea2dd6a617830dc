import { checkStatus } from '../../fetching/check-status.ts'
import { decodedBody } from '../../fetching/decode.ts'
import { FetchFailure, zipSizeLimitText } from '../../fetching/fetch-failure.ts'
import { type FetchContext, fetchUrl } from '../../fetching/fetch-url.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import { Retries } from '../../fetching/retries.ts'
import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'
import {
  conditionsFor,
  isUnchanged,
  type ResumePoint,
  rangeFrom,
  relationTo,
  wholeBytesOf,
} from '../../fetching/validator.ts'
import type { BaseArchive } from '../base/base-archive.ts'
import type { CopyingJob } from '../base/entry-copy.ts'
import { collectBody, type Pieces } from '../bodies/collect-body.ts'
import { bodyFacts } from '../bodies/facts.ts'
import { InMemoryBody, type InMemoryJob } from '../bodies/in-memory.ts'
import { type DeclaredFacts, InPlaceBody, type InPlaceJob } from '../bodies/in-place.ts'
import {
  type BodyFacts,
  IN_PLACE_BODY_BYTES,
  type IncomingBody,
  LARGE_BODY_BYTES,
} from '../bodies/incoming-body.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { LeaseRevoked } from '../connections/lease-queue.ts'
import { urlGarbageBytes } from '../garbage.ts'
import type { ProgressMeter } from '../progress-meter.ts'
import type { LateDoubts } from './late-doubts.ts'
import type { ListedSource } from './listed-source.ts'

/** What packing a source uses of its job. */
export interface Packing extends FetchContext {
  readonly archive: ReceivingArchive & CopyingJob
  readonly base: BaseArchive | null
  readonly maxDeclaredBytes: number
  readonly doubts: LateDoubts
}

/** What receiving a body uses of the archive. */
type ReceivingArchive = InMemoryJob &
  InPlaceJob & { readonly meter: Pick<ProgressMeter, 'received' | 'entry'> }

/**
 * Fetches one source and packs it, in several attempts if one fails. Keeps the connection open for the next source if all went
 * well.
 * @param earlier the part of its body that an earlier run received, if any
 * @throws FetchFailure when the source can't be fetched; any other error ends the job
 */
export async function packSource(
  packing: Packing,
  listed: ListedSource,
  connection: HostConnection,
  earlier: IncomingBody | null,
): Promise<void> {
  const attempts = new SourceAttempts(packing, listed, earlier)
  const retries = new Retries(packing.limits, packing.archive.signal)
  try {
    for (;;) {
      try {
        await attempts.make(connection)
        return connection.sourceEnded()
      } catch (error) {
        const attempt = connection.releaseAfter(error)
        const broughtBytes = await attempts.brokeOff(error)
        // If the connection was needed for another user, the source is not at fault.
        if (!(error instanceof LeaseRevoked)) await retries.waitAfter(error, { ...attempt, broughtBytes })
      }
    }
  } catch (error) {
    await attempts.end(error)
    throw error
  }
}

/** The attempts to fetch one source, and what they have received of it. */
class SourceAttempts {
  readonly #packing: Packing
  readonly #listed: ListedSource
  #incoming: IncomingBody | null
  /** The archive whose entry the source may call unchanged. Null once that was found damaged. */
  #base: BaseArchive | null
  /** What the attempts before this one have received, and is kept. */
  #receivedBytes: number

  constructor(packing: Packing, listed: ListedSource, earlier: IncomingBody | null) {
    this.#packing = packing
    this.#listed = listed
    this.#incoming = earlier
    this.#receivedBytes = earlier?.receivedBytes ?? 0
    this.#base = packing.base?.reuse === 'unchanged' ? packing.base : null
  }

  async make(connection: HostConnection): Promise<void> {
    const { archive, doubts } = this.#packing
    const { position, host } = this.#listed
    // The connection first: thousands of sources may wait for a connection, and their URLs need no memory meanwhile.
    if (host !== '') await connection.switchTo(host, null)
    const source = await this.#listed.read()
    archive.garbage.counted(urlGarbageBytes(source.url), archive.memory.heldBytes)
    const submitted = parseSourceUrl(source.url)
    const base = this.#incoming === null ? this.#base : null
    const conditions = base && source.base ? conditionsFor(source.base, submitted) : null
    const resumePoint = this.#incoming?.resumePoint() ?? null
    await using response = await fetchUrl(
      submitted,
      conditions ?? rangeFrom(resumePoint, submitted),
      this.#packing,
      connection,
    )
    connection.answered()
    if (response.status === 304 && base !== null && source.base !== undefined && conditions?.(response.url)) {
      // A copy needs no connection.
      await response[Symbol.asyncDispose]()
      connection.release('healthy')
      if (isUnchanged(source.base, response) && (await base.copy(archive, position, source.base))) {
        doubts.stored(position, response.doubtfulWith)
        return
      }
      this.#base = null
      return await this.make(connection)
    }
    const isRest = await this.#checkFit(response, resumePoint, submitted)
    const namesAskedFor = [submitted.pathname, source.filename ?? '']
    const collect = (body: Pieces) => collectBody(archive, position, body)
    const decoded = isRest ? null : decodedBody(response, namesAskedFor, collect)
    const named = { url: submitted, filename: source.filename }
    this.#incoming ??= beginBody(this.#packing, bodyFacts(position, named, response, decoded !== null))
    await receive(archive, this.#incoming, response, decoded, connection)
    await this.#incoming.finish()
    doubts.stored(position, response.doubtfulWith)
  }

  /**
   * Keeps what was received only if the next attempt can resume it.
   * @returns whether the attempt brought bytes that are kept
   */
  async brokeOff(error: unknown): Promise<boolean> {
    if (!(error instanceof FetchFailure || error instanceof LeaseRevoked)) return false
    const incoming = this.#incoming
    const isKept = incoming !== null && incoming.resumePoint() !== null && (await incoming.pause())
    const isFurther = isKept && incoming.receivedBytes > this.#receivedBytes
    if (!isKept) await this.#discard()
    this.#receivedBytes = this.#incoming?.receivedBytes ?? 0
    return isFurther
  }

  /** Releases what was received. Only a body that may still be resumed keeps its place in the archive. */
  async end(error: unknown): Promise<void> {
    if (error instanceof FetchFailure) await this.#incoming?.discard()
    else this.#incoming?.close()
  }

  /**
   * Discards what was received, unless the response continues it.
   * @returns whether it does
   * @throws FetchFailure when the response brings no body, or one that does not fit
   */
  async #checkFit(
    response: SourceResponse,
    resumePoint: ResumePoint | null,
    submitted: SourceUrl,
  ): Promise<boolean> {
    const relation = relationTo(resumePoint, response, submitted)
    if (relation !== 'unfit') checkStatus(response)
    if (relation !== 'rest') await this.#discard()
    if (relation !== 'unfit') return relation === 'rest'
    if (resumePoint === null) throw new FetchFailure('Malformed response')
    throw new FetchFailure('Source changed during the download', { retryable: true })
  }

  async #discard(): Promise<void> {
    await this.#incoming?.discard()
    this.#incoming = null
  }
}

/** @param decoded the decoded body, if that is packed and not the body as it is sent */
async function receive(
  archive: ReceivingArchive,
  incoming: IncomingBody,
  response: SourceResponse,
  decoded: Pieces | null,
  connection: HostConnection,
): Promise<void> {
  if (isLarge(incoming)) connection.bodyIsLarge()
  reportSize(archive, incoming)
  for await (const piece of decoded ?? response.body) {
    await write(archive, incoming, piece, connection)
    if (isLarge(incoming)) connection.bodyIsLarge()
    // When the last byte is here, the entry is soon reported as stored.
    if (incoming.receivedBytes !== incoming.facts.declaredBytes) reportSize(archive, incoming)
  }
  const wholeBytes = incoming.facts.declaredBytes ?? (decoded === null ? wholeBytesOf(response) : null)
  if (wholeBytes === null || incoming.receivedBytes === wholeBytes) return
  throw new FetchFailure(
    incoming.receivedBytes < wholeBytes ? 'Connection closed early' : 'Malformed response',
  )
}

async function write(
  archive: ReceivingArchive,
  incoming: IncomingBody,
  piece: Uint8Array<ArrayBuffer>,
  connection: HostConnection,
): Promise<void> {
  // A few received kilobytes can decode to gigabytes. Closing the connection would not stop that.
  connection.assertHeld()
  if (incoming.receivedBytes + piece.length > (incoming.facts.declaredBytes ?? Infinity))
    throw new FetchFailure('Malformed response')
  archive.meter.received(piece.length)
  await incoming.write(piece)
}

function isLarge({ facts, receivedBytes }: IncomingBody): boolean {
  return Math.max(receivedBytes, facts.declaredBytes ?? 0) > LARGE_BODY_BYTES
}

function reportSize({ meter }: ReceivingArchive, { facts, receivedBytes }: IncomingBody): void {
  const { position, name } = facts
  meter.entry({ position, status: 'fetching', name, sizeBytes: receivedBytes, error: null })
}

function beginBody({ archive, maxDeclaredBytes }: Packing, facts: BodyFacts): IncomingBody {
  // Not the job: such a length is an error of the source.
  if ((facts.declaredBytes ?? 0) > maxDeclaredBytes)
    throw new FetchFailure(zipSizeLimitText(maxDeclaredBytes))
  return isWrittenInPlace(facts) ? InPlaceBody.begin(archive, facts) : new InMemoryBody(archive, facts)
}

function isWrittenInPlace(facts: BodyFacts): facts is DeclaredFacts {
  return facts.declaredBytes !== null && facts.declaredBytes >= IN_PLACE_BODY_BYTES && !facts.isTextLike
}
