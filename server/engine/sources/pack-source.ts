import { checkStatus } from '../../fetching/check-status.ts'
import { decodedBody } from '../../fetching/decode.ts'
import { FetchFailure } from '../../fetching/fetch-failure.ts'
import { fetchUrl, type HeadersFor } from '../../fetching/fetch-url.ts'
import { Retries } from '../../fetching/retries.ts'
import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'
import {
  conditionHeaders,
  finalUrlHash,
  type ResumePoint,
  rangeHeaders,
  relationTo,
} from '../../fetching/validator.ts'
import type { BaseArchive } from '../base/base-archive.ts'
import { bodyFacts } from '../bodies/facts.ts'
import { InMemoryBody } from '../bodies/in-memory.ts'
import { type DeclaredFacts, InPlaceBody } from '../bodies/in-place.ts'
import {
  type BodyFacts,
  IN_PLACE_BODY_BYTES,
  type IncomingBody,
  LARGE_BODY_BYTES,
} from '../bodies/incoming-body.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { LeaseRevoked } from '../connections/lease-queue.ts'
import type { SourceToPack } from '../job-order.ts'
import type { OpenJob } from '../open-job.ts'
import type { ListedSource } from './listed-source.ts'

/**
 * Fetches one source and packs it, in as many attempts as it takes. Leaves the connection open for the next source if all went well.
 * @param earlier the part of its body that an earlier run received, if any
 * @throws FetchFailure when the source can't be fetched; any other error ends the job
 */
export function packSource(
  job: OpenJob,
  listed: ListedSource,
  connection: HostConnection,
  earlier: IncomingBody | null,
): Promise<void> {
  const attempts = new SourceAttempts(job, listed, earlier)
  // Nearly all first attempts succeed. An asynchronous function for the others would leave garbage for each of thousands.
  return attempts.make(connection).then(
    () => connection.sourceEnded(),
    (error: unknown) => retry(job, attempts, connection, error),
  )
}

/** Makes further attempts after the first one has failed. */
async function retry(
  job: OpenJob,
  attempts: SourceAttempts,
  connection: HostConnection,
  first: unknown,
): Promise<void> {
  const retries = new Retries(job.limits, job.signal)
  let error = first
  try {
    for (;;) {
      connection.releaseAfter(error)
      await attempts.failed(error)
      // If the connection was needed for another user, the source is not at fault.
      if (!(error instanceof LeaseRevoked)) await retries.waitAfter(error)
      try {
        await attempts.make(connection)
        return connection.sourceEnded()
      } catch (next) {
        error = next
      }
    }
  } catch (last) {
    await attempts.end(last)
    throw last
  }
}

/** The attempts to fetch one source, and what they have received of it. */
class SourceAttempts {
  readonly #job: OpenJob
  readonly #listed: ListedSource
  #incoming: IncomingBody | null
  /** The archive whose entry the source may call unchanged. Null once that was found damaged. */
  #base: BaseArchive | null

  constructor(job: OpenJob, listed: ListedSource, earlier: IncomingBody | null) {
    this.#job = job
    this.#listed = listed
    this.#incoming = earlier
    this.#base = job.base?.reuse === 'unchanged' ? job.base : null
  }

  async make(connection: HostConnection): Promise<void> {
    const job = this.#job
    const { position, host } = this.#listed
    // The connection first: thousands of sources may wait for a connection, and their URLs need no memory meanwhile.
    const leased = host === '' ? null : connection.switchTo(host)
    // Awaited only if it must be waited for, as below: each `await` is a turn, and thousands of small bodies take many.
    if (leased instanceof Promise) await leased
    const read = this.#listed.read()
    const source = read instanceof Promise ? await read : read
    job.memory.urlUsed(source.url.length)
    const submitted = parseSourceUrl(source.url)
    const base = this.#incoming === null ? this.#base : null
    const conditions = base === null ? null : conditionsOf(source, submitted)
    const resumePoint = this.#incoming?.resumePoint() ?? null
    await using response = await fetchUrl(submitted, conditions ?? rangeFrom(resumePoint), job, connection)
    connection.answered()
    if (response.status === 304 && base !== null && source.base !== undefined && conditions?.(response.url)) {
      // A copy needs no connection.
      await response[Symbol.asyncDispose]()
      connection.release('healthy')
      if (await base.copy(job, position, source.base)) return
      this.#base = null
      return await this.make(connection)
    }
    const relation = relationTo(resumePoint, response)
    if (relation !== 'unfit') checkStatus(response)
    if (relation !== 'rest' && this.#incoming !== null) await this.#discard()
    if (relation === 'unfit' && resumePoint === null) throw new FetchFailure('Malformed response')
    if (relation === 'unfit')
      throw new FetchFailure('Source changed during the download', { retryable: true })
    const decoded = relation === 'all' ? decodedBody(response) : null
    const named = { url: submitted, filename: source.filename }
    this.#incoming ??= beginBody(job, bodyFacts(position, named, response, decoded !== null))
    const incoming = this.#incoming
    if (isLarge(incoming)) connection.bodyIsLarge()
    const whole = decoded === null ? response.wholeBody() : null
    if (whole === null) {
      reportSize(job, incoming)
      await receive(job, incoming, decoded ?? response.body, connection)
    } else {
      const piece = whole instanceof Promise ? await whole : whole
      const writing = write(job, incoming, piece, connection)
      if (writing !== undefined) await writing
    }
    if (incoming.receivedBytes < (incoming.facts.declaredBytes ?? 0))
      throw new FetchFailure('Connection closed early')
    const finishing = incoming.finish()
    if (finishing !== undefined) await finishing
  }

  /** Keeps what was received only if the next attempt can resume it. */
  async failed(error: unknown): Promise<void> {
    if (!(error instanceof FetchFailure || error instanceof LeaseRevoked)) return
    const incoming = this.#incoming
    const isKept = incoming !== null && incoming.resumePoint() !== null && (await incoming.pause())
    if (!isKept) await this.#discard()
  }

  /** Releases what was received. Only a body that may still be resumed keeps its place in the archive. */
  async end(error: unknown): Promise<void> {
    if (error instanceof FetchFailure) await this.#incoming?.discard()
    else this.#incoming?.close()
  }

  async #discard(): Promise<void> {
    await this.#incoming?.discard()
    this.#incoming = null
  }
}

/**
 * Headers that ask whether the entry of the base is still current, only for the URL that sent its validators. Null when nothing
 * can be asked.
 */
function conditionsOf({ base }: SourceToPack, submitted: SourceUrl): HeadersFor | null {
  if (base === undefined) return null
  const headers = conditionHeaders(base, base.modifiedAtMs)
  if (headers === null) return null
  return (url) => (finalUrlHash(url, submitted) === base.finalUrlHash ? headers : null)
}

function rangeFrom(resumePoint: ResumePoint | null): HeadersFor {
  const headers = rangeHeaders(resumePoint)
  return headers === null ? noHeaders : () => headers
}

function noHeaders(): null {
  return null
}

async function receive(
  job: OpenJob,
  incoming: IncomingBody,
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  connection: HostConnection,
): Promise<void> {
  for await (const piece of body) {
    await write(job, incoming, piece, connection)
    if (isLarge(incoming)) connection.bodyIsLarge()
    // When the last byte is here, the entry is reported as stored soon, so its size is not reported again.
    if (incoming.receivedBytes !== incoming.facts.declaredBytes) reportSize(job, incoming)
  }
}

function write(
  job: OpenJob,
  incoming: IncomingBody,
  piece: Uint8Array<ArrayBuffer>,
  connection: HostConnection,
): Promise<void> | void {
  // A few received kilobytes can decode to gigabytes. Closing the connection would not stop that.
  connection.assertHeld()
  if (incoming.receivedBytes + piece.length > (incoming.facts.declaredBytes ?? Infinity))
    throw new FetchFailure('Malformed response')
  job.meter.received(piece.length)
  return incoming.write(piece)
}

function isLarge({ facts, receivedBytes }: IncomingBody): boolean {
  return Math.max(receivedBytes, facts.declaredBytes ?? 0) > LARGE_BODY_BYTES
}

function reportSize(job: OpenJob, { facts, receivedBytes }: IncomingBody): void {
  const { position, name } = facts
  job.meter.entry({ position, status: 'fetching', name, sizeBytes: receivedBytes, error: null })
}

function beginBody(job: OpenJob, facts: BodyFacts): IncomingBody {
  return isWrittenInPlace(facts) ? InPlaceBody.begin(job, facts) : new InMemoryBody(job, facts)
}

function isWrittenInPlace(facts: BodyFacts): facts is DeclaredFacts {
  return facts.declaredBytes !== null && facts.declaredBytes >= IN_PLACE_BODY_BYTES && !facts.isTextLike
}
