import { ServiceError } from '../errors.ts'
import type { Watch } from '../jobs/watch.ts'
import type { ApiKeys, Caller } from '../keys/api-keys.ts'
import type { Log } from '../log.ts'
import type { Collector } from './collector.ts'
import { around, inParts } from './long-text.ts'

/** Responses of server-sent events (WHATWG HTML, section 9.2). Disposing of it ends them all. */
export interface EventStreams extends Disposable {
  /**
   * Sends what `turn` says, again and again while the watch sees changes. The watch is opened when the client begins to
   * take the body, which a HEAD never does, and goes with the stream.
   */
  open(asked: Asked, openWatch: () => Watch, turn: (watch: Watch) => Turn): Response
}

/** A request for a stream: who makes it, and over which server. */
export interface Asked {
  readonly caller: Caller
  readonly request: Request
  readonly server: Pick<Bun.Server<unknown>, 'timeout'> | null
  /** Where header fields of a refusal go. */
  readonly set: { readonly headers: Record<string, string | number> }
}

export interface Patience {
  /** A comment comes so often in a quiet stream, so that proxies and clients can tell it from a dead one. */
  readonly heartbeatMs: number
  /** Bun ends a response whose client takes nothing for so long; some heartbeats. */
  readonly stalledClientSeconds: number
}

/** What a stream sends next: the text of events, made as the client takes it; no text when there is nothing new. */
export interface Turn {
  readonly pieces: Iterable<string>
  readonly isLast: boolean
}

/** At most ten turns a second a client, however fast a job changes. */
const MIN_INTERVAL_MS = 100
/** How often a turn comes without a change: a speed that sinks to nothing is news, and a key may be revoked. */
const MAX_INTERVAL_MS = 1_000
/** How long a stream may be silent. */
const PATIENCE: Patience = { heartbeatMs: 15_000, stalledClientSeconds: 45 }
/** A stream holds a socket and some kilobytes: room for hundreds of pages, and no one user can take all of it. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_A_USER = 500
/** When someone who found no room is to ask again: streams end with their jobs and pages. */
const RETRY_AFTER_SECONDS = 15

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would gather events into blocks.
  'x-accel-buffering': 'no',
} as const

/** One event; `data` goes as one line of JSON, which never holds a line break. */
export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The same of data that is JSON already, in pieces. */
export function longEvent(name: string, json: Iterable<string>): Iterable<string> {
  return around(`event: ${name}\ndata: `, json, '\n\n')
}

export function openEventStreams(
  apiKeys: ApiKeys,
  log: Log,
  collector: Collector,
  patience = PATIENCE,
): EventStreams {
  const open = new Set<{ readonly userId: string; readonly watch: Watch }>()
  let closing = false

  async function* follow({ caller }: Asked, openWatch: () => Watch, turn: (watch: Watch) => Turn) {
    using watch = openWatch()
    const stream = { userId: caller.user.id, watch }
    open.add(stream)
    try {
      let sentAt = performance.now()
      while (!closing && apiKeys.isValid(caller.keyId)) {
        const { pieces, isLast } = turn(watch)
        // While the client takes nothing this waits, and changes gather in the watch, bounded.
        for (const part of inParts(pieces)) {
          yield part
          collector.made(part.length)
          sentAt = performance.now()
        }
        if (performance.now() - sentAt >= patience.heartbeatMs) {
          yield ':\n\n'
          sentAt = performance.now()
        }
        if (isLast) return
        await Bun.sleep(MIN_INTERVAL_MS)
        await watch.untilChanged(MAX_INTERVAL_MS)
      }
    } catch (error) {
      // The client sees the stream end, and comes again. Bun would write the error and our source to the terminal.
      log.error('an event stream failed', { error })
    } finally {
      open.delete(stream)
    }
  }

  return {
    open(asked, openWatch, turn) {
      assertRoom(asked)
      asked.server?.timeout(asked.request, patience.stalledClientSeconds)
      return new Response(follow(asked, openWatch, turn), { headers: HEADERS })
    },
    [Symbol.dispose]() {
      closing = true
      for (const { watch } of open) watch.wake()
    },
  }

  function assertRoom({ caller, set }: Asked): void {
    const own = [...open].filter(({ userId }) => userId === caller.user.id).length
    if (own < MAX_STREAMS_A_USER && open.size < MAX_STREAMS) return
    set.headers['retry-after'] = RETRY_AFTER_SECONDS
    throw own < MAX_STREAMS_A_USER
      ? new ServiceError('UNAVAILABLE', 'Too many event streams are open. Ask for the job instead.')
      : new ServiceError(
          'RATE_LIMITED',
          `A user may have ${MAX_STREAMS_A_USER} event streams open at once. Close some, or ask for the job instead.`,
        )
  }
}
