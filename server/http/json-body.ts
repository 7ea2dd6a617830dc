import { ServiceError } from '../errors.ts'
import { openJsonReader } from './json-reader.ts'
import type { BodyReservation, RequestMemory } from './request-memory.ts'

/** Enough for 5,000 URLs of the greatest length. */
export const MAX_JOB_BODY_BYTES = 48 * 1024 * 1024
/** A sign-in token has 43 characters, and its sender has shown no key. */
export const MAX_SIGN_IN_BODY_BYTES = 1024
export const MAX_BODY_BYTES = 64 * 1024

/** Sent with a refusal for lack of memory. */
const RETRY_AFTER_SECONDS = 5

/** Makes body parsers for routes. All of them share `memory`. */
export type JsonBody = ReturnType<typeof openJsonBody>

export function openJsonBody(memory: RequestMemory) {
  /**
   * A parser for JSON of at most `maxBytes`. It gives null for a missing body: after undefined, Elysia would run a
   * parser of its own.
   */
  return (maxBytes: number) =>
    async ({ request, set }: ParseContext): Promise<unknown> => {
      if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
      if (request.body === null) return null
      using reservation = memory.reserve()
      try {
        const value = await read(request.body, reservation, maxBytes, request.headers.get('content-type'))
        return hideFromMessages(value)
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'UNAVAILABLE') {
          set.headers['retry-after'] = RETRY_AFTER_SECONDS
        }
        throw error
      }
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
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  reservation: BodyReservation,
  maxBytes: number,
  contentType: string | null,
): Promise<unknown> {
  const json = openJsonReader()
  let receivedBytes = 0
  for await (const chunk of chunksOf(stream, reservation)) {
    if (receivedBytes === 0) assertJson(contentType)
    receivedBytes += chunk.length
    if (receivedBytes > maxBytes) throw tooLarge(maxBytes)
    json.write(chunk)
    reservation.add(chunk.length)
  }
  return receivedBytes === 0 ? null : json.end()
}

/** Reads a chunk only when memory is free. Until then Bun buffers about 1 MiB, and the client keeps the rest. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { signal, untilFree }: BodyReservation,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      await untilFree()
      const { value, done } = await reader.read().catch(() => {
        throw new ServiceError('INVALID_REQUEST', 'The body broke off.')
      })
      signal.throwIfAborted()
      if (done) return
      if (value.length === 0) continue
      yield value
      // Frees the chunk at once. The garbage collector would do so only after hundreds of megabytes.
      value.buffer.transfer(0)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Elysia writes the whole of an invalid body as JSON into the message of its error, which is not used. */
function hideFromMessages<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  return Object.defineProperty(value, 'toJSON', { value: () => undefined, enumerable: false })
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
