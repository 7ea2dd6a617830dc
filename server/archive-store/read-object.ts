import { setTimeout as pause } from 'node:timers/promises'
import { AbortTimer, NEVER_ABORTED } from './abort-timer.ts'
import { type Bucket, fromStore, isTransient } from './bucket.ts'
import { isRange } from './response-body.ts'
import { StoreError, TOO_LONG } from './store-error.ts'

/**
 * The bytes of an object from `offset` on, in pieces. When the connection breaks, the next request continues after the last
 * piece. Ends the request when the consumer stops.
 * @throws StoreError when the store does not send them
 */
export async function* readObject(
  bucket: Bucket,
  object: string,
  offset: number,
  lengthBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const end = offset + lengthBytes
  let failures = 0
  for (let at = offset; at < end; ) {
    try {
      for await (const piece of rangeOf(bucket, object, at, end)) {
        if (at + piece.length > end) throw new StoreError(206, TOO_LONG)
        failures = 0
        at += piece.length
        yield piece
      }
      if (at < end) throw new StoreError(null)
    } catch (error) {
      failures += 1
      if (!isTransient(error) || failures === MAX_FAILURES) throw error
      await pause(RETRY_DELAY_MS * 2 ** failures)
    }
  }
}

async function* rangeOf(bucket: Bucket, object: string, start: number, end: number) {
  using timer = new AbortTimer(NEVER_ABORTED)
  timer.restart(IDLE_MS)
  const headers = { range: `bytes=${start}-${end - 1}` }
  const response = await bucket.send({ method: 'GET', object, headers }, timer.signal)
  if (!isRange(response, start, end) || response.body === null) {
    await response.body?.cancel()
    throw new StoreError(response.status)
  }
  const reader = response.body.getReader()
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
