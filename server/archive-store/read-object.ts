import { AbortTimer } from './abort-timer.ts'
import { rangeIn } from './response-body.ts'
import { StoreError, TOO_LONG } from './store-error.ts'
import { fromStore } from './store-request.ts'
import { StoreRetries } from './store-retries.ts'

/** Requests a range of an object, with this value of the header `Range`. @throws StoreError when the store refuses it */
export type RequestRange = (range: string, signal: AbortSignal) => Promise<Response>

/**
 * The bytes of an object from `offset` on, in pieces. Fewer where the object ends. When the connection breaks, the next request continues
 * after the last piece. Ends the request when the consumer stops.
 * @param stop ends it when it is aborted
 * @throws StoreError when the store does not send them; the reason of `stop`
 */
export async function* readObject(
  request: RequestRange,
  offset: number,
  lengthBytes: number,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let end = offset + lengthBytes
  const retries = new StoreRetries()
  for (let at = offset; at < end; ) {
    try {
      using timer = new AbortTimer(stop)
      timer.restart(IDLE_MS)
      const response = await request(`bytes=${at}-${end - 1}`, timer.signal)
      const range = rangeIn(response, at, end)
      if (range === null || response.body === null) {
        await response.body?.cancel()
        throw new StoreError(response.status)
      }
      end = Math.min(end, range.objectEnd)
      for await (const piece of piecesOf(response.body, timer)) {
        if (at + piece.length > end) throw new StoreError(206, TOO_LONG)
        retries.worked()
        at += piece.length
        yield piece
      }
      if (at < end) throw new StoreError(null)
    } catch (error) {
      await retries.waitAfter(error, stop)
    }
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, timer: AbortTimer) {
  const reader = body.getReader()
  for (;;) {
    const { value, done } = await fromStore(timer.signal, () => reader.read())
    if (done) return
    // The consumer may take as long as it likes.
    timer.pause()
    yield value
    timer.restart(IDLE_MS)
  }
}

/** A store that sends nothing for so long does not respond. */
const IDLE_MS = 30_000
