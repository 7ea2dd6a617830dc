import { isConnectable } from './connectable.ts'
import { classifyNetworkError, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { pinnedRequest } from './request.ts'
import type { SourceUrl } from './source-url.ts'
import { StallTimer } from './stall-timer.ts'
import { isBodyWhole } from './whole-body.ts'

/** A response whose body has not been read. Disposing of it closes the connection if the body has not ended. */
export interface SourceResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** Aborted when the body is no longer wanted. */
  readonly signal: AbortSignal
  /** The URL after all redirects. */
  readonly url: SourceUrl
  /** The body as received, in pieces. A body that ends early throws a `FetchFailure`. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

/**
 * Sends one GET request to a checked address of the host of a URL.
 * @param aborter closes the connection. Aborted here when the source is silent
 * @throws FetchFailure for any fault of the network or the host
 */
export async function requestFrom(
  address: string,
  url: SourceUrl,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  aborter: AbortController,
): Promise<SourceResponse> {
  const { signal } = aborter
  signal.throwIfAborted()
  let isAwaitingHeaders = true
  const timer = new StallTimer(limits, {
    // Most hosts have answered by then, and the check costs a connection.
    async onSlowStart() {
      const isUp = await isConnectable(address, url.port, limits.connectTimeoutMs / 2, signal)
      if (!isUp && isAwaitingHeaders) aborter.abort(new FetchFailure('Timed out'))
    },
    // Not retryable: a source that was silent for so long will be silent at the next attempt as well.
    onTimeout: () => aborter.abort(new FetchFailure('Timed out', { retryable: false })),
  })
  try {
    const request = pinnedRequest(url, address, headers, signal)
    const response = await fetch(request.url, request.options)
    timer.headersArrived()
    return timedResponse(response, url, signal, timer)
  } catch (error) {
    timer[Symbol.dispose]()
    throw failureOf(error, signal)
  } finally {
    isAwaitingHeaders = false
  }
}

function timedResponse(
  response: Response,
  url: SourceUrl,
  signal: AbortSignal,
  timer: StallTimer,
): SourceResponse {
  const { status, headers } = response
  let reader: BodyReader | undefined
  let isRead = false

  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    try {
      if (isBodyWhole(response)) {
        isRead = true
        yield new Uint8Array(await response.arrayBuffer())
        return
      }
      reader ??= response.body?.getReader()
      for (;;) {
        timer.waiting()
        const piece = (await reader?.read())?.value
        timer.received(piece?.length ?? 0)
        if (piece === undefined) return
        yield piece
      }
    } catch (error) {
      throw failureOf(error, signal)
    }
  }

  return {
    status,
    headers,
    signal,
    url,
    body: pieces(),
    async [Symbol.asyncDispose]() {
      timer[Symbol.dispose]()
      if (isRead) return
      reader ??= response.body?.getReader()
      // Rejects when the body fails meanwhile, which no longer matters.
      await reader?.cancel().catch(() => {})
    },
  }
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, 'read' | 'cancel'>

function failureOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : classifyNetworkError(error)
}
