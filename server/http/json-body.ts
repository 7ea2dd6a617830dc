import { ServiceError } from '../errors.ts'
import type { BodyRoom, EnteredBody } from './body-room.ts'
import { openJsonReader } from './json-reader.ts'

/** Room for 5,000 URLs of the greatest length. */
export const MAX_JOB_BODY_BYTES = 48 * 1024 * 1024
/** A sign-in token has 43 characters, and whoever sends one has shown no key. */
export const MAX_SIGN_IN_BODY_BYTES = 1024
export const MAX_BODY_BYTES = 64 * 1024

/** When someone who found no room is to ask again. */
const RETRY_AFTER_SECONDS = 5

/** Makes body parsers for routes, which share the memory for bodies. */
export type JsonBody = ReturnType<typeof openJsonBody>

export function openJsonBody(room: BodyRoom) {
  /**
   * A parser of JSON of at most `maxBytes`; null when there is no body, since Elysia would go on with a parser of its
   * own after undefined.
   */
  return (maxBytes: number) =>
    async ({ request, set }: Hook): Promise<unknown> => {
      if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
      if (request.body === null) return null
      using body = room.enter()
      try {
        const value = await read(request.body, body, maxBytes, request.headers.get('content-type'))
        return keptOutOfMessages(value)
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'UNAVAILABLE') {
          set.headers['retry-after'] = RETRY_AFTER_SECONDS
        }
        throw error
      }
    }
}

/** For routes to which a body means nothing. Elysia's own parsers would fail on one that is not what its type says. */
export function ignoredBody(): null {
  return null
}

interface Hook {
  readonly request: Request
  readonly set: { readonly headers: Record<string, string | number> }
}

async function read(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  body: EnteredBody,
  maxBytes: number,
  contentType: string | null,
): Promise<unknown> {
  const json = openJsonReader()
  let receivedBytes = 0
  for await (const piece of pieces(stream, body)) {
    if (receivedBytes === 0) assertJson(contentType)
    receivedBytes += piece.length
    if (receivedBytes > maxBytes) throw tooLarge(maxBytes)
    json.write(piece)
    body.hold(piece.length)
  }
  return receivedBytes === 0 ? null : json.end()
}

/** What is not asked for stays with the client: Bun takes about a megabyte of a body that is not read. */
async function* pieces(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  body: EnteredBody,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  body.cut.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      await body.untilRoom()
      const { value, done } = await reader.read().catch(() => {
        throw new ServiceError('INVALID_REQUEST', 'The body broke off.')
      })
      body.cut.throwIfAborted()
      if (done) return
      if (value.length === 0) continue
      yield value
      // At once: the collector would come back for hundreds of megabytes later.
      value.buffer.transfer(0)
    }
  } finally {
    body.cut.removeEventListener('abort', stop)
    stop()
  }
}

/** Elysia writes all of a body that is not valid as JSON into the message of its error, which nobody reads. */
function keptOutOfMessages<T>(value: T): T {
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
