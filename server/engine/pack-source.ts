import { likelyEntryName } from '../archive/entry-name.ts'
import { isTextLike } from '../archive/media-type.ts'
import { filenameOf } from '../fetching/content-disposition.ts'
import { decodedBody } from '../fetching/decode-body.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import { fetchUrl, type SourceResponse } from '../fetching/fetch-url.ts'
import { withRetries } from '../fetching/retry.ts'
import { checkStatus } from '../fetching/status.ts'
import { rangeHeaders, relationTo, strongEtag } from '../fetching/validator.ts'
import { type HostConnection, withHostConnection } from './host-connection.ts'
import { type BodyFacts, type Intake, LARGE_BODY_BYTES, PLACED_BODY_BYTES } from './intake.ts'
import type { JobContext } from './job-context.ts'
import type { Source } from './job-order.ts'
import { LeaseRevoked } from './lease-queue.ts'
import { LooseIntake } from './loose-intake.ts'
import { PlacedIntake } from './placed-intake.ts'

/**
 * Fetches one source and packs it, in as many attempts as it takes.
 * @param earlier what an earlier run has received of its body, if anything
 * @throws FetchFailure when the source can't be had; whatever else it throws ends the job
 */
export async function packSource(
  job: JobContext,
  position: number,
  source: Source,
  earlier: Intake | null,
): Promise<void> {
  let intake = earlier

  const attempt = async (connection: HostConnection): Promise<void> => {
    const broken = intake?.broken() ?? null
    const { addressBook, limits } = job
    const context = { addressBook, limits, leaseHost: (host: string) => connection.switchTo(host) }
    await using response = await fetchUrl(source.url, rangeHeaders(broken), context)
    connection.answered()
    const relation = relationTo(broken, response)
    if (relation !== 'unfit') checkStatus(response)
    let body = response.body
    if (relation !== 'rest' || intake === null) {
      await intake?.discard()
      intake = null
      if (relation !== 'all') {
        if (broken === null) throw new FetchFailure('Malformed response')
        throw new FetchFailure('Source changed during the download', { retryable: true })
      }
      const decoded = decodedBody(response)
      body = decoded ?? body
      intake = beginIntake(job, bodyFacts(position, source, response, decoded !== null))
    }
    await receive(job, intake, body, connection)
    await intake.finish()
  }

  const attemptOrRest = async (connection: HostConnection): Promise<void> => {
    try {
      await attempt(connection)
    } catch (error) {
      const waits = error instanceof FetchFailure || error instanceof LeaseRevoked
      if (waits && intake !== null && !(await canRest(intake))) {
        await intake.discard()
        intake = null
      }
      throw error
    }
  }

  try {
    await withRetries(job.limits, job.signal, () => withHostConnection(job, attemptOrRest))
  } catch (error) {
    if (error instanceof FetchFailure) await intake?.discard()
    else intake?.suspend()
    throw error
  }
}

/** A body that can't go on where it broke off is worth nothing until then. */
async function canRest(intake: Intake): Promise<boolean> {
  return intake.broken() !== null && (await intake.rest())
}

async function receive(
  job: JobContext,
  intake: Intake,
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  connection: HostConnection,
): Promise<void> {
  const { position, name, declaredBytes } = intake.facts
  const tell = () => {
    const sizeBytes = intake.receivedBytes
    job.meter.entry({ position, status: 'fetching', name, sizeBytes, error: null })
    if (Math.max(sizeBytes, declaredBytes ?? 0) > LARGE_BODY_BYTES) connection.beginLargeBody()
  }
  tell()
  for await (const piece of body) {
    // Kilobytes that are here already can unfold to gigabytes, which no end of the connection would stop.
    connection.assertHeld()
    const pieceBytes = piece.length
    if (intake.receivedBytes + pieceBytes > (declaredBytes ?? Infinity))
      throw new FetchFailure('Malformed response')
    await intake.write(piece)
    job.meter.received(pieceBytes)
    tell()
  }
  if (intake.receivedBytes < (declaredBytes ?? 0)) throw new FetchFailure('Connection closed early')
}

function beginIntake(job: JobContext, facts: BodyFacts): Intake {
  const { declaredBytes } = facts
  const isPlaced = declaredBytes !== null && declaredBytes >= PLACED_BODY_BYTES && !facts.isTextLike
  return isPlaced ? PlacedIntake.begin(job, { ...facts, declaredBytes }) : new LooseIntake(job, facts)
}

function bodyFacts(
  position: number,
  source: Source,
  response: SourceResponse,
  isDecoded: boolean,
): BodyFacts {
  const { headers } = response
  const contentType = headers.get('content-type')
  const disposition = headers.get('content-disposition')
  const headerName = disposition === null ? null : filenameOf(disposition)
  const modifiedAtMs = Date.parse(headers.get('last-modified') ?? '')
  return {
    position,
    name: likelyEntryName(source, { headerName, contentType }),
    declaredBytes: isDecoded ? null : declaredLength(headers),
    isTextLike: isTextLike(contentType),
    modifiedAtMs: Number.isNaN(modifiedAtMs) ? Date.now() : modifiedAtMs,
    // The bytes behind an encoding are not those that a range counts.
    etag: isDecoded ? null : strongEtag(headers),
  }
}

function declaredLength(headers: Headers): number | null {
  const value = headers.get('content-length')
  return value !== null && /^\d+$/.test(value) ? Number(value) : null
}
