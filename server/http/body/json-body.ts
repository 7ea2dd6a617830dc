import { releaseMemory } from '../../bytes.ts'
import { ServiceError } from '../../errors.ts'
import { openJsonReader } from './json-reader.ts'
import type { BodyReservation, RequestMemory } from './memory.ts'
import type { Turns } from './turns.ts'

/** Enough for 5,000 URLs of the greatest length. */
export const MAX_JOB_BODY_BYTES = 48 * 1024 * 1024
/** A sign-in token has 43 characters. The limit is low, because the sender has no key yet. */
export const MAX_SIGN_IN_BODY_BYTES = 1024
export const MAX_BODY_BYTES = 64 * 1024

/** A longer body is parsed in pieces, each in a turn of the event loop of its own, in about a millisecond. */
const BYTES_PER_TURN = 64 * 1024

/** Sent with a refusal for lack of memory. */
const RETRY_AFTER_SECONDS = 5

/** Makes a body parser for a route. */
export type JsonBody = JsonBodies['parser']

export interface JsonBodies {
  /**
   * A parser for JSON of at most `maxBytes`. It returns null for a missing body: if it returned undefined, Elysia would run
   * its own parser.
   */
  parser(maxBytes: number): (context: ParseContext) => Promise<unknown>
  /**
   * Call it when a request was answered, with whatever status. Until then its body counts as memory: a list of 40 MB is written
   * only after it was parsed.
   */
  handled(request: Request): void
}

/**
 * Reads the bodies of all routes, which share `memory`.
 * @param userIdOf the user whose key the request carries; null for one without a key
 */
export function openJsonBodies(
  memory: RequestMemory,
  turns: Turns,
  userIdOf: (request: Request) => string | null,
): JsonBodies {
  const held = new WeakMap<Request, BodyReservation>()
  return {
    parser(maxBytes) {
      return async ({ request, set }) => {
        const announcedBytes = Number(request.headers.get('content-length'))
        if (announcedBytes > maxBytes) throw tooLarge(maxBytes)
        if (request.body === null) return null
        assertNotEncoded(request.headers.get('content-encoding'), set.headers)
        const userId = userIdOf(request)
        using reading = new DisposableStack()
        const reservation = reading.use(memory.reserve(userId, announcedBytes))
        try {
          const pieces = piecesOf(request.body, reservation, () => turns.next(userId))
          const value = await read(pieces, reservation, maxBytes, request.headers.get('content-type'))
          reservation.received()
          held.set(request, reservation)
          reading.move()
          return hideFromMessages(value)
        } catch (error) {
          if (error instanceof ServiceError && error.code === 'UNAVAILABLE') {
            set.headers['retry-after'] = RETRY_AFTER_SECONDS
          }
          throw error
        }
      }
    },
    handled(request) {
      held.get(request)?.[Symbol.dispose]()
      held.delete(request)
    },
  }
}

/** The parser of routes that take no body. Elysia's own parsers would fail on a body that does not match its type. */
export function skipBody(): null {
  return null
}

interface ParseContext {
  readonly request: Request
  readonly set: { readonly headers: Record<string, string | number> }
}

async function read(
  pieces: AsyncIterable<Uint8Array>,
  reservation: BodyReservation,
  maxBytes: number,
  contentType: string | null,
): Promise<unknown> {
  const json = openJsonReader()
  let receivedBytes = 0
  for await (const piece of pieces) {
    if (receivedBytes === 0) assertJson(contentType)
    receivedBytes += piece.length
    if (receivedBytes > maxBytes) throw tooLarge(maxBytes)
    json.write(piece)
    reservation.add(piece.length)
  }
  return receivedBytes === 0 ? null : json.end()
}

/**
 * Reads a chunk only when memory is free. Until then Bun buffers about 1 MiB, and the client keeps the rest. The end of a
 * long body has a turn of its own, too: its values are checked in it.
 */
async function* piecesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { signal, untilFree }: BodyReservation,
  nextTurn: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  let receivedBytes = 0
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      await untilFree()
      const { value, done } = await reader.read().catch(() => {
        throw new ServiceError('INVALID_REQUEST', 'The body broke off.')
      })
      signal.throwIfAborted()
      receivedBytes += value?.length ?? 0
      const isLong = receivedBytes > BYTES_PER_TURN
      if (done && isLong) await nextTurn()
      if (done) return
      for (let start = 0; start < value.length; start += BYTES_PER_TURN) {
        if (isLong) await nextTurn()
        yield value.subarray(start, start + BYTES_PER_TURN)
      }
      releaseMemory(value)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Elysia writes an invalid body as JSON into the message of its error. That message is not used and could be huge. */
function hideFromMessages<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  return Object.defineProperty(value, 'toJSON', { value: () => undefined, enumerable: false })
}

/** A decoded body could be a thousand times as long as what arrives. RFC 9110, section 15.5.16 */
function assertNotEncoded(contentEncoding: string | null, headers: Record<string, string | number>): void {
  if (contentEncoding === null || /^(?:identity)?$/i.test(contentEncoding.trim())) return
  headers['accept-encoding'] = 'identity'
  throw new ServiceError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be sent as it is, without a Content-Encoding.',
  )
}

function assertJson(contentType: string | null): void {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase()
  if (mediaType === undefined || mediaType === '' || mediaType === 'application/json') return
  if (/^application\/[\w.-]+\+json$/.test(mediaType)) return
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json).')
}

function tooLarge(maxBytes: number): ServiceError {
  const size = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`
  return new ServiceError('PAYLOAD_TOO_LARGE', `The body may have at most ${size}.`)
}
