import { ServiceError } from '../errors.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import type { ApiKeys, Caller } from '../keys/api-keys.ts'
import type { Log } from '../logging/log.ts'
import type { GarbageCollector } from './garbage-collector.ts'
import { enclose, inChunks } from './text-stream.ts'

/** Responses of server-sent events (WHATWG HTML, section 9.2). Disposing of it ends all of them. */
export interface EventStreams extends Disposable {
  /**
   * Sends what `nextUpdate` returns, again after each change that `changes` reports. It is opened when the client
   * begins to read the body, so never for HEAD, and closed with the stream.
   */
  open(request: StreamRequest, openChanges: () => JobChanges, nextUpdate: NextUpdate): Response
}

/** A request for a stream, from whom, and the server that it reached. */
export interface StreamRequest {
  readonly caller: Caller
  readonly request: Request
  readonly server: Pick<Bun.Server<unknown>, 'timeout'> | null
  /** Takes the header fields of a refusal. */
  readonly set: { readonly headers: Record<string, string | number> }
}

export type NextUpdate = (changes: JobChanges) => StreamUpdate

/** What a stream sends next: the text of events, generated as the client reads it; nothing when nothing is new. */
export interface StreamUpdate {
  readonly pieces: Iterable<string>
  readonly isLast: boolean
}

export interface StreamTimeouts {
  /** How often a quiet stream sends a comment, by which proxies and clients tell it from a dead connection. */
  readonly heartbeatMs: number
  /** Bun ends a response whose client reads nothing for this long: some heartbeats. */
  readonly stalledClientSeconds: number
}

/** Limits a stream to ten updates per second, however fast a job changes. */
const MIN_INTERVAL_MS = 100
/** And all streams to a thousand, each of which takes some 50 us of the thread that serves everybody. */
const MIN_INTERVAL_PER_STREAM_MS = 1
/** Updates without a change: a speed that falls to zero must be sent, and a revoked key must end the stream. */
const MAX_INTERVAL_MS = 1_000
const TIMEOUTS: StreamTimeouts = { heartbeatMs: 15_000, stalledClientSeconds: 45 }
/** A stream takes a socket and a few kilobytes. Hundreds of pages fit, and no user can take all streams. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_USER = 500
/** Sent with a refusal: streams end with their jobs and pages. */
const RETRY_AFTER_SECONDS = 15

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Else nginx buffers events.
  'x-accel-buffering': 'no',
} as const

/** One event. Its data is one line of JSON, which never contains a line break. */
export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The same for data that is JSON already, in pieces. */
export function longEvent(name: string, json: Iterable<string>): Iterable<string> {
  return enclose(`event: ${name}\ndata: `, json, '\n\n')
}

export function openEventStreams(
  apiKeys: ApiKeys,
  log: Log,
  collector: GarbageCollector,
  timeouts = TIMEOUTS,
): EventStreams {
  const streams = new Set<{ readonly userId: string; readonly changes: JobChanges }>()
  let isClosing = false

  async function* send({ caller }: StreamRequest, openChanges: () => JobChanges, nextUpdate: NextUpdate) {
    using changes = openChanges()
    const stream = { userId: caller.user.id, changes }
    streams.add(stream)
    try {
      let sentAt = performance.now()
      while (!isClosing && apiKeys.isValid(caller.keyId)) {
        const { pieces, isLast } = nextUpdate(changes)
        // While the client reads nothing, this waits, and `changes` collects up to its limit.
        for (const chunk of inChunks(pieces)) {
          yield chunk
          collector.allocated(chunk.length)
          sentAt = performance.now()
        }
        if (performance.now() - sentAt >= timeouts.heartbeatMs) {
          yield ':\n\n'
          sentAt = performance.now()
        }
        if (isLast) return
        await Bun.sleep(Math.max(MIN_INTERVAL_MS, streams.size * MIN_INTERVAL_PER_STREAM_MS))
        await changes.untilChanged(MAX_INTERVAL_MS)
      }
    } catch (error) {
      // The stream ends and the client reconnects. Bun would print the error with our source to the terminal.
      log.error('an event stream failed', { error })
    } finally {
      streams.delete(stream)
    }
  }

  return {
    open(request, openChanges, nextUpdate) {
      assertBelowLimits(request)
      request.server?.timeout(request.request, timeouts.stalledClientSeconds)
      return new Response(send(request, openChanges, nextUpdate), { headers: HEADERS })
    },
    [Symbol.dispose]() {
      isClosing = true
      for (const { changes } of streams) changes.wake()
    },
  }

  function assertBelowLimits({ caller, set }: StreamRequest): void {
    const ofUser = [...streams].filter(({ userId }) => userId === caller.user.id).length
    if (ofUser < MAX_STREAMS_PER_USER && streams.size < MAX_STREAMS) return
    set.headers['retry-after'] = RETRY_AFTER_SECONDS
    throw ofUser < MAX_STREAMS_PER_USER
      ? new ServiceError('UNAVAILABLE', 'Too many event streams are open. Poll the job instead.')
      : new ServiceError(
          'RATE_LIMITED',
          `A user may have ${MAX_STREAMS_PER_USER} event streams open at once. Close some, or poll the job instead.`,
        )
  }
}
