import { createEventParser, type ServerEvent } from './parse-events.ts'
import { ApiError, respond } from './request.ts'

/** How soon a stream that broke is opened again; each failure doubles it, up to the last. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000
/** The service says something every 15 s: after three silences the connection is dead, though nobody said so. */
const SILENCE_MS = 45_000

/** What a follower does at each event, by its name; the data are what the service sent, as JSON. */
export type EventHandlers<Events> = { readonly [Name in keyof Events]: (data: Events[Name]) => void }

export interface Follower<Events> {
  /** The stream is open, for the first time or again: what is asked for from now on is kept up to date by events. */
  readonly opened?: () => void
  readonly on: EventHandlers<Events>
  /** The service refused, or could not be reached; it is asked again after a pause. */
  readonly failed?: (error: ApiError) => void
}

/**
 * Follows a stream of the service until `signal` aborts: opens it again whenever it ends or breaks. It hangs up while
 * the page is hidden, since a browser has no more than six connections to a host for all of its tabs.
 */
export function followEvents<Events>(path: string, follower: Follower<Events>, signal: AbortSignal): void {
  let visible = new AbortController()

  async function follow(signal: AbortSignal) {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      try {
        for await (const events of openEvents(path, signal, follower.opened)) {
          pauseMs = FIRST_PAUSE_MS
          for (const event of events) if (!signal.aborted) handle(event, follower.on)
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError) follower.failed?.(error)
      }
      await pause(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  function followVisibility() {
    visible.abort()
    visible = new AbortController()
    if (!document.hidden) void follow(AbortSignal.any([signal, visible.signal]))
  }

  if (signal.aborted) return
  document.addEventListener('visibilitychange', followVisibility, { signal })
  followVisibility()
}

/**
 * Opens a stream of server-sent events once and gives what each piece of it holds, until it ends. `EventSource` would
 * do, could it send the key. Throws an `ApiError` when it is refused, something else when it breaks.
 */
export async function* openEvents(
  path: string,
  signal: AbortSignal,
  opened?: () => void,
): AsyncGenerator<readonly ServerEvent[], void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const response = await respond('GET', path, {
      accept: 'text/event-stream',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    opened?.()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const parse = createEventParser()
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      yield parse(piece.value)
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

function handle<Events>({ name, data }: ServerEvent, on: EventHandlers<Events>): void {
  if (isHandled(name, on)) on[name](JSON.parse(data))
}

function isHandled<Events>(name: string, on: EventHandlers<Events>): name is keyof Events & string {
  return Object.hasOwn(on, name)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
