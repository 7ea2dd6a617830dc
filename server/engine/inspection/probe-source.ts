import { likelyEntryName } from '../../archive/names/entry-name.ts'
import { isHtmlType, mediaTypeIn } from '../../archive/names/media-type.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { checkStatus } from '../../fetching/content/check-status.ts'
import { nameInHead } from '../../fetching/content/content-disposition.ts'
import { type FetchedResponse, fetchUrl } from '../../fetching/fetch-url.ts'
import { shortHeader } from '../../fetching/headers/short-header.ts'
import { parseAuthority } from '../../fetching/parse-authority.ts'
import { parseSourceUrl, type SourceUrl } from '../../fetching/source-url.ts'
import { type Garbage, sourceGarbageBytes } from '../../garbage.ts'
import { BEGINNING_BYTES, bodyWarning } from '../bodies/body-warning.ts'
import type { HostConnection } from '../connections/host-connection.ts'
import { withRetries } from '../connections/with-retries.ts'
import type { Source } from '../job-order.ts'
import type { ListedSource } from '../sources/listed-source.ts'
import { loginWarning } from '../sources/login-warning.ts'
import type { InspectionContext } from './context.ts'
import type { ProbeResult } from './inspection.ts'

/** Asks what one URL would bring, without its body. Never rejects with a failure of the source: that is a result. */
export async function probeSource(
  context: InspectionContext,
  listed: ListedSource,
  connection: HostConnection,
  garbage: Garbage,
): Promise<ProbeResult> {
  const source = await listed.read()
  garbage.counted(sourceGarbageBytes(source))
  const { limits } = context.connections.fetchContext
  const { signal } = context
  try {
    const { facts, beginning } = await withRetries({ limits, signal }, connection, () =>
      ask(context, source, connection),
    )
    const { response, sizeBytes } = facts
    const named = namesOf(source, parseSourceUrl(source.url), response)
    return {
      position: listed.position,
      status: response.status === 206 ? 200 : response.status,
      size: sizeBytes,
      type: mediaTypeIn(response.headers.get('content-type')),
      name: named.entryName,
      host: response.url.host,
      etag: shortHeader(response.headers.get('etag')),
      error: null,
      warning:
        beginning === null
          ? null
          : bodyWarning({ ...named, beginning, sizeBytes: sizeBytes ?? beginning.length }),
    }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return failedProbe(listed, source, error)
  }
}

/** A URL that no request was sent for, or whose request failed. */
function failedProbe({ position }: ListedSource, source: Source, failure: FetchFailure): ProbeResult {
  const { text } = failure
  const status = /^HTTP (\d+)$/.exec(text)?.[1]
  return {
    position,
    status: status === undefined ? null : Number(status),
    size: null,
    type: null,
    name: likelyEntryName({ url: URL.parse(source.url), filename: source.filename }, null),
    host: parseAuthority(source.url)?.host ?? '',
    etag: null,
    error: text,
    warning: loginWarning(failure),
  }
}

interface Facts {
  readonly response: FetchedResponse
  readonly sizeBytes: number | null
}

/** `beginning` is the begin of the body, which was read only if something looks wrong with it. */
async function ask(
  context: InspectionContext,
  source: Source,
  connection: HostConnection,
): Promise<{ facts: Facts; beginning: Uint8Array | null }> {
  const submitted = parseSourceUrl(source.url)
  const head = await factsOf(context, submitted, connection, 'HEAD')
  const facts = isRefused(head.response) ? await factsOf(context, submitted, connection, 1) : head
  if (!isSuspicious(facts, source, submitted)) return { facts, beginning: null }
  return await readBeginning(context, submitted, connection)
}

/** Some hosts answer `HEAD` with an error, although they have the file. */
function isRefused({ status, headers }: FetchedResponse): boolean {
  const asksToWait = status === 429 || headers.get('retry-after') !== null
  return status >= 400 && !asksToWait
}

/** @param request `HEAD`, or `GET` for so many bytes */
async function factsOf(
  context: InspectionContext,
  submitted: SourceUrl,
  connection: HostConnection,
  request: 'HEAD' | number,
): Promise<Facts> {
  using response = await send(context, submitted, connection, request)
  if (request !== 'HEAD' || !isRefused(response)) check(response)
  return { response, sizeBytes: sizeOf(response) }
}

async function readBeginning(
  context: InspectionContext,
  submitted: SourceUrl,
  connection: HostConnection,
): Promise<{ facts: Facts; beginning: Uint8Array }> {
  using response = await send(context, submitted, connection, BEGINNING_BYTES)
  check(response)
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Of an empty file, no range can be satisfied.
  if (response.status !== 416) {
    for await (const piece of response.body) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= BEGINNING_BYTES) break
    }
  }
  const sizeBytes = bytes === 0 ? 0 : sizeOf(response)
  return { facts: { response, sizeBytes }, beginning: Buffer.concat(pieces).subarray(0, BEGINNING_BYTES) }
}

async function send(
  context: InspectionContext,
  submitted: SourceUrl,
  connection: HostConnection,
  request: 'HEAD' | number,
): Promise<FetchedResponse> {
  const headersFor = () => (request === 'HEAD' ? null : { range: `bytes=0-${request - 1}` })
  const method = request === 'HEAD' ? 'HEAD' : 'GET'
  const response = await fetchUrl(submitted, headersFor, context.connections.fetchContext, connection, method)
  connection.answered()
  return response
}

function check(response: FetchedResponse): void {
  if (response.status !== 416 || sizeOf(response) !== 0) checkStatus(response)
}

/** Whether the head alone says that the file may be empty, or a page in place of another file. Only the body tells for sure. */
function isSuspicious({ response, sizeBytes }: Facts, source: Source, submitted: SourceUrl): boolean {
  if (sizeBytes === 0) return true
  if (!isHtmlType(response.headers.get('content-type'))) return false
  return bodyWarning({ ...namesOf(source, submitted, response), beginning: ANY_PAGE, sizeBytes: 1 }) !== null
}

function namesOf({ filename }: Source, submitted: SourceUrl, { headers, url }: FetchedResponse) {
  const contentType = headers.get('content-type')
  const headerName = nameInHead(headers)
  const entryName = likelyEntryName({ url: submitted, filename }, { headerName, contentType })
  return { filename, entryName, submitted, final: url, headerName, contentType }
}

/** The bytes of the whole file; null if they are not told, or are those of an encoded file. */
function sizeOf({ status, headers }: FetchedResponse): number | null {
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') return null
  if (status === 206 || status === 416)
    return numberOf(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
  if (headers.get('transfer-encoding') !== null) return null
  return numberOf(headers.get('content-length'))
}

function numberOf(text: string | null | undefined): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null
}

const ANY_PAGE = new TextEncoder().encode('<!doctype html>')
