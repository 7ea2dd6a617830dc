import type { Pieces } from '../../archive/reading/unpacked.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { contentCodings } from '../../fetching/content/content-codings.ts'
import { isStrong, wholeBytesOf } from '../../fetching/content/validator.ts'
import type { FetchedResponse } from '../../fetching/fetch-url.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import { BEGINNING_BYTES, BodyBeginning } from '../bodies/body-warning.ts'
import { InPlaceBody } from '../bodies/in-place.ts'
import { type IncomingBody, LARGE_BODY_BYTES } from '../bodies/incoming-body.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { type ReceivingJob, receiveInSegments } from './receive-segments.ts'

/** A body of which bytes arrive. */
export interface ReceivedInto {
  readonly incoming: IncomingBody
  /** Gets its first bytes. */
  readonly beginning: BodyBeginning
  /** The decoded body, if that is packed and not the body as it is sent. */
  readonly decoded: Pieces | null
}

/**
 * Receives the body that a response brings, or what was missing of it: over the connection of the response, or over several if the host
 * gives it in parts.
 * @returns its first bytes
 * @throws FetchFailure when it does not become whole
 */
export async function receiveBody(
  job: ReceivingJob,
  received: ReceivedInto,
  response: FetchedResponse,
  connection: HostConnection,
): Promise<BodyBeginning> {
  const { incoming, beginning } = received
  if (isDivisible(incoming, response)) {
    await receiveInSegments(job, incoming, response, connection)
    return new BodyBeginning(await incoming.beginning(BEGINNING_BYTES))
  }
  await receiveAlone(job, received, response, connection)
  return beginning
}

async function receiveAlone(
  { archive: { meter } }: ReceivingJob,
  { incoming, beginning, decoded }: ReceivedInto,
  response: SourceResponse,
  connection: Pick<HostConnection, 'receives' | 'bodyIsLarge' | 'received'>,
): Promise<void> {
  connection.receives(() => incoming.resumePoint() !== null)
  if (isLarge(incoming)) connection.bodyIsLarge()
  meter.fetching(incoming.facts, incoming.receivedBytes)
  for await (const piece of decoded ?? response.body) {
    beginning.add(piece)
    // A few received kilobytes can decode to gigabytes. Closing the connection would not stop that.
    connection.received(piece.length)
    if (incoming.receivedBytes + piece.length > (incoming.facts.declaredBytes ?? Infinity))
      throw new FetchFailure('Malformed response')
    meter.received(piece.length)
    await incoming.write(piece)
    if (isLarge(incoming)) connection.bodyIsLarge()
    // When the last byte is here, the entry is soon reported as stored.
    if (incoming.receivedBytes !== incoming.facts.declaredBytes)
      meter.fetching(incoming.facts, incoming.receivedBytes)
  }
  const wholeBytes = incoming.facts.declaredBytes ?? (decoded === null ? wholeBytesOf(response) : null)
  if (wholeBytes === null || incoming.receivedBytes === wholeBytes) return
  throw new FetchFailure(
    incoming.receivedBytes < wholeBytes ? 'Connection closed early' : 'Malformed response',
  )
}

function isLarge({ facts, receivedBytes }: IncomingBody): boolean {
  return Math.max(receivedBytes, facts.declaredBytes ?? 0) > LARGE_BODY_BYTES
}

/**
 * Whether parts of the body can be asked for while it arrives. A body of which only some parts are missing must be: its response may
 * be one of these parts.
 */
function isDivisible(incoming: IncomingBody, { status, headers }: FetchedResponse): incoming is InPlaceBody {
  const { validators, modifiedAtMs } = incoming.facts
  const takesRanges = status === 206 || headers.get('accept-ranges')?.trim().toLowerCase() === 'bytes'
  return (
    incoming instanceof InPlaceBody &&
    isLarge(incoming) &&
    takesRanges &&
    isStrong({ ...validators, modifiedAtMs }) &&
    contentCodings(headers).length === 0
  )
}
