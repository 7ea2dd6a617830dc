import { HoldallError } from '../../../server/client/holdall-error.ts'
import { readEvents } from '../../../server/client/read-events.ts'
import { STOPPED } from '../base/stopped.ts'
import { setReachable } from './reachability.ts'
import { ApiError, fetchResponse } from './request.ts'

/** One handler per event name. Each gets the parsed JSON data of the event. */
export type EventHandlers<Events> = { readonly [Name in keyof Events]: (data: Events[Name]) => void }

export interface StreamHandlers<Events> {
  /** Called when the stream was opened or reopened. From now on, events report every change: load the state now. */
  readonly onOpen?: () => void
  readonly on: EventHandlers<Events>
  /** The service refused the stream or could not be reached. The next attempt follows after a delay. */
  readonly onError?: (error: ApiError) => void
}

/**
 * Subscribes to an event stream until `signal` aborts, and reopens the stream whenever it ends or breaks. The stream is
 * closed while the page is hidden, because a browser shares six connections per host among all its tabs.
 */
export function subscribeToEvents<Events>(
  path: string,
  handlers: StreamHandlers<Events>,
  signal: AbortSignal,
): void {
  let visible = new AbortController()

  async function run(signal: AbortSignal) {
    const open = async (closed: AbortSignal) => {
      const response = await fetchResponse('GET', path, {
        accept: 'text/event-stream',
        signal: AbortSignal.any([signal, closed]),
      })
      handlers.onOpen?.()
      return response
    }
    for (let delayMs = MIN_RECONNECT_MS; !signal.aborted; ) {
      try {
        for await (const { event: name = 'message', data } of readEvents(open)) {
          delayMs = MIN_RECONNECT_MS
          if (!signal.aborted) handle(name, data, handlers.on)
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError) handlers.onError?.(error)
        // The stream broke, or nothing arrived, not even a comment. Opening it again tells whether the service responds.
        else if (error instanceof HoldallError) setReachable(false)
      }
      await delay(delayMs, signal)
      delayMs = Math.min(delayMs * 2, MAX_RECONNECT_MS)
    }
  }

  function reconnectIfVisible() {
    visible.abort(STOPPED)
    visible = new AbortController()
    if (!document.hidden) void run(AbortSignal.any([signal, visible.signal]))
  }

  if (signal.aborted) return
  document.addEventListener('visibilitychange', reconnectIfVisible, { signal })
  reconnectIfVisible()
}

function handle<Events>(name: string, data: string, on: EventHandlers<Events>): void {
  if (isHandled(name, on)) on[name](JSON.parse(data))
}

function isHandled<Events>(name: string, on: EventHandlers<Events>): name is keyof Events & string {
  return Object.hasOwn(on, name)
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}

/** The delay before a broken stream is opened again. Each failure in a row doubles it, up to the maximum. */
const MIN_RECONNECT_MS = 500
const MAX_RECONNECT_MS = 5_000
