import { FetchFailure } from '../fetching/attempts/fetch-failure.ts'
import { Retries } from '../fetching/attempts/retries.ts'
import { checkStatus } from '../fetching/content/check-status.ts'
import { type FetchContext, type FetchedResponse, fetchUrl } from '../fetching/fetch-url.ts'
import type { SourceResponse } from '../fetching/response.ts'
import type { SourceUrl } from '../fetching/source-url.ts'
import { pause } from '../time/pause.ts'
import { runningMs } from '../time/unpaused-time.ts'

/** Thrown when the server has other bytes than before. */
export class RemoteChanged extends Error {
  override readonly name = 'RemoteChanged'
}

/** A response to a request for the bytes from an offset on. */
export interface RemotePart extends Disposable {
  readonly response: SourceResponse
  /** Where its first byte is in the file. */
  readonly start: number
  /** Length of the whole file; null if it is not known yet. */
  readonly totalBytes: number | null
  /** Where it ends in the file, as the server says; null if that is not known. */
  readonly end: number | null
  /** Whether this is a part of the file. */
  readonly isRange: boolean
  /** Whether it goes on to the end of the file. */
  readonly isOpenEnded: boolean
  /** Strong; null if the server gives none. */
  readonly etag: string | null
}

/**
 * A file that a server has at a link. Each request follows the redirects anew: the link that they lead to may be short-lived. The server
 * may be any, so it is treated as a source of a job is, and not as the archive store (`readObject`), which the administrator has named.
 */
export class RemoteFile {
  readonly #url: SourceUrl
  readonly #context: FetchContext
  readonly #signal: AbortSignal
  readonly #open = new Set<AbortController>()
  #hasAnswered = false

  constructor(url: SourceUrl, context: FetchContext, signal: AbortSignal) {
    this.#url = url
    this.#context = context
    this.#signal = signal
    signal.addEventListener('abort', () => {
      for (const aborter of this.#open) aborter.abort(signal.reason)
    })
  }

  /**
   * Requests the bytes from `start` to `end`, or to the end of the file.
   * @param etag that of the bytes before; null before the first ones
   * @returns null if the file has no bytes from `start` on
   * @throws FetchFailure; RemoteChanged if the file has another tag now
   */
  async open(start: number, end: number | null, etag: string | null): Promise<RemotePart | null> {
    const headers = {
      range: `bytes=${start}-${end === null ? '' : end - 1}`,
      ...(etag === null ? {} : { 'if-range': etag }),
    }
    this.#signal.throwIfAborted()
    using stack = new DisposableStack()
    const aborter = new AbortController()
    this.#open.add(aborter)
    stack.defer(() => void this.#open.delete(aborter))
    const connection = { switchTo: async () => aborter }
    const response = stack.use(await fetchUrl(this.#url, () => headers, this.#context, connection))
    this.#hasAnswered = true
    const part = partOf(response, start, etag)
    if (part === null) return null
    const disposal = stack.move()
    return { ...part, response, [Symbol.dispose]: () => disposal.dispose() }
  }

  /**
   * Calls `attempt` until it succeeds, as often as a source is attempted.
   * @param attempt tells by `brought` how many bytes it has brought
   */
  async retried<T>(attempt: (brought: (bytes: number) => void) => Promise<T>): Promise<T> {
    const { limits } = this.#context
    const retries = new Retries(limits, this.#signal)
    for (;;) {
      const startedMs = runningMs()
      let broughtBytes = 0
      try {
        return await attempt((count) => {
          broughtBytes += count
        })
      } catch (error) {
        this.#signal.throwIfAborted()
        const lastedMs = runningMs() - startedMs
        await retries.waitAfter(error, {
          broughtBytes,
          hostHasAnswered: this.#hasAnswered,
          lastedMs,
        })
        // A source of a job gets its next connection after such a wait; here, nothing else holds it back.
        if (error instanceof FetchFailure && error.asksToWait)
          await pause(Math.min(error.retryAfterMs ?? FULL_WAIT_MS, limits.maxRetryAfterMs), this.#signal)
      }
    }
  }
}

/** Null if the range begins after the last byte. */
function partOf(
  response: FetchedResponse,
  start: number,
  etag: string | null,
): Omit<RemotePart, 'response' | typeof Symbol.dispose> | null {
  const { status, headers } = response
  const tag = headers.get('etag')
  const found = tag === null || tag.startsWith('W/') ? null : tag
  if (etag !== null && found !== etag && status < 300) throw new RemoteChanged('another entity tag')
  if (status === 416) {
    if (headers.get('content-range') === `bytes */${start}`) return null
    throw start === 0 ? new FetchFailure('HTTP 416') : new RemoteChanged('another length')
  }
  if (status !== 206) {
    // RFC 9110 section 15.3.7: the server sends the whole file.
    checkStatus(response)
    if (status !== 200) throw new FetchFailure(`HTTP ${status}`)
    const length = headers.get('content-length')
    const totalBytes = length !== null && /^\d+$/.test(length) ? Number(length) : null
    return {
      start: 0,
      end: totalBytes,
      totalBytes,
      isRange: false,
      isOpenEnded: true,
      etag: found,
    }
  }
  // RFC 8673: of a file that is being made, an end that is never reached, and no length.
  const [, first, last, total] =
    /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  if (first === undefined || Number(first) !== start) throw new FetchFailure('Malformed response')
  const totalBytes = total === '*' ? null : Number(total)
  if (totalBytes !== null && !Number.isSafeInteger(totalBytes)) throw new FetchFailure('Malformed response')
  // RFC 9110 section 14.4: such a range must not be joined with others.
  const end = Number(last) + 1
  if (end <= start || end > (totalBytes ?? end)) throw new FetchFailure('Malformed response')
  return {
    start,
    end,
    totalBytes,
    isRange: true,
    isOpenEnded: end >= (totalBytes ?? Number.MAX_SAFE_INTEGER),
    etag: found,
  }
}

/** After a 429 that does not say how long. */
const FULL_WAIT_MS = 1000
