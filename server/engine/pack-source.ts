import { likelyEntryName } from '../archive/entry-name.ts'
import { isTextLike } from '../archive/media-type.ts'
import { checkStatus } from '../fetching/check-status.ts'
import { filenameOf } from '../fetching/content-disposition.ts'
import { decodedBody } from '../fetching/decode-body.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import { fetchUrl } from '../fetching/fetch-url.ts'
import type { SourceResponse } from '../fetching/source-response.ts'
import { parseSourceUrl, type SourceUrl } from '../fetching/source-url.ts'
import {
  conditionHeaders,
  finalUrlHash,
  rangeHeaders,
  relationTo,
  strongTag,
  validatorsOf,
} from '../fetching/validator.ts'
import { withRetries } from '../fetching/with-retries.ts'
import { type HostConnection, withHostConnection } from './host-connection.ts'
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
  const { position, host } = listed
  let incoming = earlier
  /** The archive whose entry the source may call unchanged. Null once that was found damaged. */
  let base = job.base?.reuse === 'unchanged' ? job.base : null

  const attempt = async (connection: HostConnection): Promise<void> => {
    const resumePoint = incoming?.resumePoint() ?? null
    const { resolver, limits } = job
    const context = { resolver, limits, leaseHost: (host: string) => connection.switchTo(host) }
    // The connection first: thousands of sources may wait for a connection, and their URLs need no memory meanwhile.
    if (host !== '') await connection.switchTo(host)
    const source = await listed.read()
    job.memory.urlUsed(source.url.length)
    const submitted = parseSourceUrl(source.url)
    const conditions = incoming === null && base !== null ? conditionsOf(source, submitted) : null
    const headersFor = (url: SourceUrl) => conditions?.(url) ?? rangeHeaders(resumePoint)
    await using response = await fetchUrl(submitted, headersFor, context)
    connection.answered()
    if (response.status === 304 && base !== null && source.base !== undefined && conditions?.(response.url)) {
      // A copy needs no connection.
      await response[Symbol.asyncDispose]()
      connection.release('healthy')
      if (await base.copy(job, position, source.base)) return
      base = null
      return await attempt(connection)
    }
    const relation = relationTo(resumePoint, response)
    if (relation !== 'unfit') checkStatus(response)
    let body = response.body
    if (relation !== 'rest' || incoming === null) {
      await incoming?.discard()
      incoming = null
      if (relation !== 'all') {
        if (resumePoint === null) throw new FetchFailure('Malformed response')
        throw new FetchFailure('Source changed during the download', { retryable: true })
      }
      const decoded = decodedBody(response)
      body = decoded ?? body
      incoming = beginBody(
        job,
        bodyFacts(position, { url: submitted, filename: source.filename }, response, decoded !== null),
      )
    }
    await receive(job, incoming, body, connection)
    await incoming.finish()
  }

  const attemptOrPause = async (connection: HostConnection): Promise<void> => {
    try {
      await attempt(connection)
    } catch (error) {
      const mayContinue = error instanceof FetchFailure || error instanceof LeaseRevoked
      if (mayContinue && incoming !== null && !(await pauseBody(incoming))) {
        await incoming.discard()
        incoming = null
      }
      throw error
    }
  }

  try {
    await withRetries(job.limits, job.signal, () => withHostConnection(job, attemptOrPause))
  } catch (error) {
    if (error instanceof FetchFailure) await incoming?.discard()
    else incoming?.close()
    throw error
  }
}

/**
 * Headers that ask whether the entry of the base is still current, only for the URL that sent its validators. Null when nothing
 * can be asked.
 */
function conditionsOf({ base }: SourceToPack, submitted: SourceUrl): ConditionsFor | null {
  if (base === undefined) return null
  const headers = conditionHeaders(base, base.modifiedAtMs)
  if (headers === null) return null
  return (url) => (finalUrlHash(url, submitted) === base.finalUrlHash ? headers : null)
}

type ConditionsFor = (url: SourceUrl) => Record<string, string> | null

/** False when the next attempt can't resume the body, so that no part of it is worth keeping. */
async function pauseBody(incoming: IncomingBody): Promise<boolean> {
  return incoming.resumePoint() !== null && (await incoming.pause())
}

async function receive(
  job: OpenJob,
  incoming: IncomingBody,
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  connection: HostConnection,
): Promise<void> {
  const { position, name, declaredBytes } = incoming.facts
  const reportSize = () => {
    const sizeBytes = incoming.receivedBytes
    job.meter.entry({ position, status: 'fetching', name, sizeBytes, error: null })
    if (Math.max(sizeBytes, declaredBytes ?? 0) > LARGE_BODY_BYTES) connection.bodyIsLarge()
  }
  reportSize()
  for await (const piece of body) {
    // A few received kilobytes can decode to gigabytes. Closing the connection would not stop that.
    connection.assertHeld()
    const pieceBytes = piece.length
    if (incoming.receivedBytes + pieceBytes > (declaredBytes ?? Infinity))
      throw new FetchFailure('Malformed response')
    await incoming.write(piece)
    job.meter.received(pieceBytes)
    // A whole body is reported as stored soon.
    if (incoming.receivedBytes !== declaredBytes) reportSize()
  }
  if (incoming.receivedBytes < (declaredBytes ?? 0)) throw new FetchFailure('Connection closed early')
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
  return {
    position,
    // A copy: a slice of a string keeps the whole string in memory, here a URL or a header.
    name: Buffer.from(likelyEntryName(source, { headerName, contentType })).toString(),
    declaredBytes: isDecoded ? null : declaredLength(headers),
    isTextLike: isTextLike(contentType),
    modifiedAtMs: hasLastModified ? lastModifiedMs : Date.now(),
    // A decoded body can't be resumed: a range counts encoded bytes, and only decoded ones are kept.
    etag: isDecoded ? null : strongTag(validators.etag),
    validators,
  }
}

function declaredLength(headers: Headers): number | null {
  const value = headers.get('content-length')
  return value !== null && /^\d+$/.test(value) ? Number(value) : null
}
