import { pause } from '../time/pause.ts'
import { AbortTimer } from './abort-timer.ts'
import { rangeIn } from './response-body.ts'
import { isTransient, StoreError, TOO_LONG } from './store-error.ts'
import { fromStore } from './store-request.ts'

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
  let failures = 0
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
        failures = 0
        at += piece.length
        yield piece
      }
      if (at < end) throw new StoreError(null)
    } catch (error) {
      failures += 1
      if (stop.aborted || !isTransient(error) || failures === MAX_FAILURES) throw error
      await pause(RETRY_DELAY_MS * 2 ** failures, stop)
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

/** In a row. With the delays, which double, a client waits for 3.5 s at most if the store fails at once. */
const MAX_FAILURES = 4
const RETRY_DELAY_MS = 250
/** A store that sends nothing for so long does not respond. */
const IDLE_MS = 30_000
