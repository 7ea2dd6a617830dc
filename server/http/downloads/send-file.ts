import type { ByteRange } from '../../bytes.ts'
import type { Download } from '../../downloads/downloads.ts'
import { evaluateConditions, type SentValidators, selectRange } from '../../downloads/range.ts'
import { ServiceError } from '../../errors.ts'
import type { Counter } from '../../monitoring/metrics.ts'
import type { ResponseMemory } from '../body/response-memory.ts'
import type { Turns } from '../body/turns.ts'
import { errorResponse } from '../error-responses.ts'
import { beganEarly } from './browser-resume.ts'

/** What all downloads need. */
export interface Sending {
  readonly servedBytes: Counter
  readonly memory: ResponseMemory
  readonly turns: Turns
}

/** How one of them makes its parts. */
export interface Pace {
  readonly memory: ResponseMemory
  /** Awaited before each part: with hundreds of downloads, other requests are answered between them. */
  nextTurn(): Promise<void>
}

/** All who have a link count as one user. */
export function paceOf(token: string, { memory, turns }: Sending): Pace {
  return { memory, nextTurn: () => turns.next(`link ${token}`) }
}

/** A file as a response: what it is, and how to get its bytes. */
export interface FileToSend {
  readonly file: Download
  /** `Content-Type` and others of its own. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a part of it can be sent. */
  readonly hasRanges: boolean
  /** Null asks for the whole file. */
  body(range: ByteRange | null): Promise<Content>
}

export type Content = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>

/** Sends a file, or the part that the request asks for, to be saved. Obeys the conditions of RFC 9110, section 13. */
export async function sendFile(
  { file, headers, hasRanges, body }: FileToSend,
  request: Request,
  { servedBytes }: Pick<Sending, 'servedBytes'>,
): Promise<Response> {
  const { etag, sizeBytes } = file
  const current = { etag, lastModifiedSeconds: Math.floor(file.changedAt / 1000) }
  const isContinued = beganEarly(request.headers)
  const validators = {
    etag,
    ...(!isContinued && { 'last-modified': new Date(file.changedAt).toUTCString() }),
    'cache-control': 'private',
    'accept-ranges': hasRanges ? 'bytes' : 'none',
  }
  const refusal = unlessSent(request, current, validators)
  if (refusal !== null) return refusal
  const fileHeaders = {
    ...validators,
    ...headers,
    'content-disposition': attachment(file.filename),
  }
  if (request.method === 'HEAD') {
    return new Response(null, { headers: { ...fileHeaders, 'content-length': `${sizeBytes}` } })
  }
  const range = hasRanges ? selectRange(request.headers, current, sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return unsatisfiable(sizeBytes)
  if (range === 'whole') {
    const content = await body(null)
    servedBytes([], sizeBytes)
    return new Response(content, { headers: fileHeaders })
  }
  const { start, end } = range
  const content = await body(range)
  servedBytes([], end - start)
  return new Response(content, {
    status: 206,
    headers: {
      ...fileHeaders,
      'content-range': `bytes ${start}-${end - 1}/${isContinued ? '*' : sizeBytes}`,
    },
  })
}

/** The response to a request whose conditions do not let the file be sent; null when they do. */
export function unlessSent(
  request: Request,
  current: SentValidators,
  validators: Readonly<Record<string, string>>,
): Response | null {
  switch (evaluateConditions(request.headers, current)) {
    case 'not-modified':
      return new Response(null, { status: 304, headers: validators })
    case 'precondition-failed':
      return errorResponse(
        new ServiceError('PRECONDITION_FAILED', 'The file does not meet the conditions of the request.'),
      )
    case 'proceed':
      return null
  }
}

function unsatisfiable(sizeBytes: number): Response {
  const message = `The file has ${sizeBytes} bytes; the range begins after them.`
  return errorResponse(new ServiceError('RANGE_NOT_SATISFIABLE', message), {
    'content-range': `bytes */${sizeBytes}`,
  })
}

/**
 * The `Content-Disposition` that makes a client save a download as `filename` (RFC 6266): the name in ASCII for old
 * clients, and the whole name in the encoding of RFC 8187.
 */
export function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(filename)}`
}

/** Also encodes what `encodeURIComponent` leaves as it is and RFC 8187, section 3.2.1, does not allow. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
