import { unreachable } from './holdall-error.ts'

/**
 * How long a stream may bring nothing: the service sends at least a comment or a space every 15 s, and after three that are missing the
 * connection counts as dead.
 */
export const STREAM_IDLE_TIMEOUT_MS = 45_000

/** Sends a request. The signal ends it when its connection is dead, or its body is no longer needed. */
export type OpenResponse = (closed: AbortSignal) => Promise<Response>

/**
 * Yields the bytes of a response as they arrive, and closes the connection when the caller stops reading.
 * @throws HoldallError `UNREACHABLE` if the connection breaks or nothing arrives for `idleTimeoutMs` while the caller waits
 */
export async function* readBody(
  open: OpenResponse,
  idleTimeoutMs: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const closed = new AbortController()
  const startTimer = () =>
    setTimeout(() => {
      closed.abort(unreachable(new Error(`Nothing arrived for ${idleTimeoutMs} ms.`)))
    }, idleTimeoutMs)
  let timer = startTimer()
  try {
    const { body } = await open(closed.signal)
    const reader = body?.getReader()
    closed.signal.addEventListener('abort', () => reader?.cancel().catch(() => {}))
    while (reader !== undefined) {
      const { value } = await reader.read().catch((error) => {
        throw unreachable(error)
      })
      clearTimeout(timer)
      closed.signal.throwIfAborted()
      if (value === undefined) return
      yield value
      timer = startTimer()
    }
  } finally {
    clearTimeout(timer)
    closed.abort()
  }
}
