import { likelyEntryName } from '../archive/entry-name.ts'
import { isTextLike } from '../archive/media-type.ts'
import { checkStatus } from '../fetching/check-status.ts'
import { filenameOf } from '../fetching/content-disposition.ts'
import { decodedBody } from '../fetching/decode-body.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import { fetchUrl } from '../fetching/fetch-url.ts'
import { Retries } from '../fetching/retries.ts'
import type { SourceResponse } from '../fetching/source-response.ts'
import { parseSourceUrl, type SourceUrl } from '../fetching/source-url.ts'
import {
  conditionHeaders,
  finalUrlHash,
  type ResumePoint,
  rangeHeaders,
  relationTo,
  strongTag,
  validatorsOf,
} from '../fetching/validator.ts'
import type { BaseArchive } from './base-archive.ts'
import { HostConnection } from './host-connection.ts'
import { InMemoryBody } from './in-memory-body.ts'
import { InPlaceBody } from './in-place-body.ts'
import { type BodyFacts, IN_PLACE_BODY_BYTES, type IncomingBody, LARGE_BODY_BYTES } from './incoming-body.ts'
import type { SourceToPack } from './job-order.ts'
import { LeaseRevoked } from './lease-queue.ts'
import type { ListedSource } from './listed-source.ts'
import type { OpenJob } from './open-job.ts'

/**
 * Fetches one source and packs it, in as many attempts as it takes.
 * @param earlier the part of its body that an earlier run received, if any
 * @throws FetchFailure when the source can't be fetched; any other error ends the job
 */
export async function packSource(
  job: OpenJob,
  listed: ListedSource,
  earlier: IncomingBody | null,
): Promise<void> {
  const attempts = new SourceAttempts(job, listed, earlier)
  const retries = new Retries(job.limits, job.signal)
  try {
    for (;;) {
      const connection = new HostConnection(job)
      try {
        await attempts.make(connection)
        return connection.release('healthy')
      } catch (error) {
        connection.releaseAfter(error)
        await attempts.failed(error)
        // If the connection was needed for another user, the source is not at fault.
        if (!(error instanceof LeaseRevoked)) await retries.waitAfter(error)
      }
    }
  } catch (error) {
    await attempts.end(error)
    throw error
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
    if (host !== '') await connection.switchTo(host)
    const source = await this.#listed.read()
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
    let incoming = this.#incoming
    let body = response.body
    if (relation !== 'rest' || incoming === null) {
      if (incoming !== null) await this.#discard()
      if (relation !== 'all') {
        if (resumePoint === null) throw new FetchFailure('Malformed response')
        throw new FetchFailure('Source changed during the download', { retryable: true })
      }
      const decoded = decodedBody(response)
      body = decoded ?? body
      const named = { url: submitted, filename: source.filename }
      incoming = beginBody(job, bodyFacts(position, named, response, decoded !== null))
      this.#incoming = incoming
    }
    await receive(job, incoming, body, connection)
    await incoming.finish()
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

type HeadersFor = (url: SourceUrl) => Record<string, string> | null

async function receive(
  job: OpenJob,
  incoming: IncomingBody,
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  connection: HostConnection,
): Promise<void> {
  const { declaredBytes } = incoming.facts
  reportSize(job, incoming, connection)
  for await (const piece of body) {
    // A few received kilobytes can decode to gigabytes. Closing the connection would not stop that.
    connection.assertHeld()
    const pieceBytes = piece.length
    if (incoming.receivedBytes + pieceBytes > (declaredBytes ?? Infinity))
      throw new FetchFailure('Malformed response')
    await incoming.write(piece)
    job.meter.received(pieceBytes)
    // A whole body is reported as stored soon.
    if (incoming.receivedBytes !== declaredBytes) reportSize(job, incoming, connection)
  }
  if (incoming.receivedBytes < (declaredBytes ?? 0)) throw new FetchFailure('Connection closed early')
}

function reportSize(job: OpenJob, { facts, receivedBytes }: IncomingBody, connection: HostConnection): void {
  const { position, name, declaredBytes } = facts
  job.meter.entry({ position, status: 'fetching', name, sizeBytes: receivedBytes, error: null })
  if (Math.max(receivedBytes, declaredBytes ?? 0) > LARGE_BODY_BYTES) connection.bodyIsLarge()
}

function beginBody(job: OpenJob, facts: BodyFacts): IncomingBody {
  const { declaredBytes } = facts
  const isInPlace = declaredBytes !== null && declaredBytes >= IN_PLACE_BODY_BYTES && !facts.isTextLike
  return isInPlace ? InPlaceBody.begin(job, { ...facts, declaredBytes }) : new InMemoryBody(job, facts)
}

function bodyFacts(
  position: number,
  source: { readonly url: SourceUrl; readonly filename: string | null },
  response: SourceResponse,
  isDecoded: boolean,
): BodyFacts {
  const { headers } = response
  const contentType = headers.get('content-type')
  const disposition = headers.get('content-disposition')
  const headerName = disposition === null ? null : filenameOf(disposition)
  const lastModifiedMs = Date.parse(headers.get('last-modified') ?? '')
  const hasLastModified = !Number.isNaN(lastModifiedMs)
  const validators = validatorsOf(response, source.url, hasLastModified)
  const name = likelyEntryName(source, { headerName, contentType })
  return {
    position,
    name: headerName === null && source.url.href.length <= SHORT_URL_CHARACTERS ? name : copyOf(name),
    declaredBytes: isDecoded ? null : declaredLength(headers),
    isTextLike: isTextLike(contentType),
    modifiedAtMs: hasLastModified ? lastModifiedMs : Date.now(),
    // A decoded body can't be resumed: a range counts encoded bytes, and only decoded ones are kept.
    etag: isDecoded ? null : strongTag(validators.etag),
    validators,
  }
}

/** A slice of a string keeps the whole string in memory, here a URL or a header. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString()
}

/** Thousands of such URLs in memory take a few hundred kilobytes. */
const SHORT_URL_CHARACTERS = 128

function declaredLength(headers: Headers): number | null {
  const value = headers.get('content-length')
  return value !== null && DIGITS.test(value) ? Number(value) : null
}

const DIGITS = /^\d+$/
