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

/** A connection that delivers nothing for so long is considered dead. */
const IDLE_TIMEOUT_MS = 60_000

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
  const etag = first.headers.get('etag') ?? ''
  const body = toStream(continuedBody(), cancelled)
  return new Response(body, { status: first.status, headers: first.headers })

  async function* continuedBody(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { end, start } = rangeOf(first)
    let position = start
    let open: OpenResponse = async () => first
    while (position < end) {
      let failure: unknown = unreachable()
      try {
        for await (const bytes of readBody(open, IDLE_TIMEOUT_MS)) {
          reconnects.succeeded()
          position += bytes.length
          yield bytes
        }
      } catch (error) {
        failure = error
      }
      if (position < end) await reconnects.waitAfter(failure)
      open = (closed) =>
        fetchResponse(url, {
          signal: anySignal(stop, closed),
          headers: { range: `bytes=${position}-`, 'if-match': etag },
        })
    }
  }
}

/** The bytes of the archive that a response contains: from `start`, up to and without `end`. */
function rangeOf({ headers }: Response): { start: number; end: number } {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  if (start !== undefined) return { start: Number(start), end: Number(total) }
  return { start: 0, end: Number(headers.get('content-length')) }
}

function toStream(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  cancelled: AbortController,
): ReadableStream<Uint8Array<ArrayBuffer>> {
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
