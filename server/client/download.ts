import { anySignal } from './any-signal.ts'
import { fetchResponse } from './fetch-response.ts'
import { unreachable } from './holdall-error.ts'
import { type OpenResponse, readBody } from './read-body.ts'
import type { Reconnects } from './reconnects.ts'

/** The part of an archive that an earlier download has received, with the `ETag` of that response. */
export interface ReceivedPart {
  readonly bytes: number
  readonly etag: string
}

/**
 * Downloads an archive. When the connection breaks, the body of the response continues over a new one (`Range` with
 * `If-Match`, RFC 9110, section 14). With a `received` part, the response is 206 and begins after that part, or 200 with the
 * whole archive if it has changed since (`If-Range`).
 * @throws HoldallError
 */
export async function download(
  url: string,
  received: ReceivedPart | undefined,
  signal: AbortSignal | undefined,
  reconnects: Reconnects,
): Promise<Response> {
  const cancelled = new AbortController()
  const stop = anySignal(signal, cancelled.signal)
  const first = await fetchResponse(url, {
    signal: stop,
    headers: received === undefined ? {} : { range: `bytes=${received.bytes}-`, 'if-range': received.etag },
  })
  const etag = first.headers.get('etag')
  const range = rangeOf(first)
  // A proxy has changed the body, so its bytes are not those that a range would continue.
  if (etag === null || range === null) return first
  const body = toStream(continuedBody(range, etag), cancelled)
  return new Response(body, { status: first.status, headers: first.headers })

  async function* continuedBody({ start, end }: BodyRange, etag: string): AsyncGenerator<Bytes, void> {
    let offset = start
    let open: OpenResponse = async () => first
    while (offset < end) {
      let failure: unknown = unreachable()
      try {
        for await (const bytes of readBody(open, IDLE_TIMEOUT_MS)) {
          reconnects.succeeded()
          offset += bytes.length
          yield bytes
        }
      } catch (error) {
        failure = error
      }
      if (offset < end) await reconnects.waitAfter(failure)
      open = (closed) =>
        fetchResponse(url, {
          signal: anySignal(stop, closed),
          headers: { range: `bytes=${offset}-`, 'if-match': etag },
        })
    }
  }
}

/** The bytes of the archive that a body contains: from `start`, up to and without `end`. */
interface BodyRange {
  readonly start: number
  readonly end: number
}

type Bytes = Uint8Array<ArrayBuffer>

/** Null for a body of unknown length, or one that is encoded. */
function rangeOf({ headers }: Response): BodyRange | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  if (start !== undefined) return { start: Number(start), end: Number(total) }
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? null : { start: 0, end: Number(length) }
}

function toStream(pieces: AsyncGenerator<Bytes, void>, cancelled: AbortController): ReadableStream<Bytes> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel(reason) {
      cancelled.abort(reason)
    },
  })
}

/** A connection that delivers nothing for this long is considered dead. */
const IDLE_TIMEOUT_MS = 60_000
