// server/decisions/clients.md says why streams have no history.

import { ServiceError } from '../../errors.ts'
import type { ChangeCollector } from '../../jobs/changes.ts'
import type { ApiKeys, Caller } from '../../keys/api-keys.ts'
import type { Log } from '../../logging/log.ts'
import type { ResponseMemory } from '../body/response-memory.ts'
import { enclose, inParts } from '../body/text-stream.ts'
import type { Turns } from '../body/turns.ts'

/** Responses of server-sent events (WHATWG HTML, section 9.2). Disposing of it ends all of them. */
export interface EventStreams extends Disposable {
  /**
   * Sends what `nextUpdate` returns, and calls it again after each change. `openChanges` is called when the client begins to
   * read the body, so never for HEAD. Its result is closed with the stream.
   */
  open(request: StreamRequest, openChanges: () => ChangeCollector, nextUpdate: NextUpdate): Response
}

/** A request for a stream, its caller, and the server that received it. */
export interface StreamRequest {
  readonly caller: Caller
  readonly request: Request
  readonly server: Pick<Bun.Server<unknown>, 'timeout'> | null
  /** Receives the header fields of a refusal. */
  readonly set: { readonly headers: Record<string, string | number> }
}

export type NextUpdate = (changes: ChangeCollector) => StreamUpdate

/** The next part of a stream: the text of events, generated as the client reads it. Empty when nothing has changed. */
export interface StreamUpdate {
  readonly pieces: Iterable<string>
  readonly isLast: boolean
}

export interface StreamTimeouts {
  /** How often a quiet stream sends a comment, so that proxies and clients don't take it for a dead connection. */
  readonly heartbeatMs: number
  /** Bun ends a response whose client reads nothing for this long: some heartbeats. */
  readonly stalledClientSeconds: number
}

/** Limits each stream to ten updates per second, however fast a job changes. */
const MIN_INTERVAL_MS = 100
/** Limits all streams together to a thousand updates per second. Each takes about 50 µs of the main thread. */
const MIN_INTERVAL_PER_STREAM_MS = 1
/** Sends an update even without a change: the speed may have fallen to zero, or the key may have been revoked. */
const MAX_INTERVAL_MS = 1_000
/** Ten streams with the same key look it up once. */
const KEY_CHECK_INTERVAL_MS = 500
const TIMEOUTS: StreamTimeouts = { heartbeatMs: 15_000, stalledClientSeconds: 45 }
/** A stream holds a socket and a few kilobytes. Hundreds of pages fit, and no user can hold all streams. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_USER = 500
/** Sent with a refusal. Streams often end, with their jobs and pages. */
const RETRY_AFTER_SECONDS = 15

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Otherwise, nginx buffers events.
  'x-accel-buffering': 'no',
} as const

/** One event. Its data is one line of JSON, which never contains a line break. */
export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An event whose data is given as pieces of JSON. */
export function longEvent(name: string, json: Iterable<string>): Iterable<string> {
  return enclose(`event: ${name}\ndata: `, json, '\n\n')
}

export function openEventStreams(
  apiKeys: ApiKeys,
  log: Log,
  memory: ResponseMemory,
  turns: Turns,
  timeouts = TIMEOUTS,
): EventStreams {
  const streams = new Set<{ readonly userId: string; readonly changes: ChangeCollector }>()
  let isClosing = false
  const validKeys = new Set<string>()
  let checkedAt = performance.now()

  /** A command of another process may revoke a key, so each is looked up again after a while. */
  function isValid(keyId: string): boolean {
    const now = performance.now()
    if (now - checkedAt >= KEY_CHECK_INTERVAL_MS) {
      validKeys.clear()
      checkedAt = now
    }
    if (!validKeys.has(keyId) && apiKeys.isValid(keyId)) validKeys.add(keyId)
    return validKeys.has(keyId)
  }

  async function* send(
    { caller }: StreamRequest,
    openChanges: () => ChangeCollector,
    nextUpdate: NextUpdate,
  ) {
    using changes = openChanges()
    const stream = { userId: caller.user.id, changes }
    streams.add(stream)
    try {
      // The first and the last update of a job's stream contain the whole job.
      await turns.next(caller.user.id)
      let sentAt = performance.now()
      while (!isClosing && isValid(caller.keyId)) {
        const { pieces, isLast } = nextUpdate(changes)
        if (isLast) await turns.next(caller.user.id)
        // While the client reads nothing, this loop waits, and `changes` collects up to its limit.
        for (const part of inParts(pieces, memory)) {
          yield part
          memory.made(part.length)
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
      // The stream ends and the client reconnects. Bun would print an uncaught error with our source code to stderr.
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
