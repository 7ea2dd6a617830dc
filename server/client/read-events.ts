import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type OpenResponse, readBody, STREAM_IDLE_TIMEOUT_MS } from './read-body.ts'

/**
 * Yields the server-sent events of a response (WHATWG HTML, section 9.2) until it ends. `EventSource` can't be used, because
 * it can't send the API key.
 * @throws HoldallError `UNREACHABLE` if the connection breaks or is dead
 */
export async function* readEvents(open: OpenResponse): AsyncGenerator<EventSourceMessage, void> {
  const decoder = new TextDecoder()
  const parsed: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => parsed.push(event) })
  for await (const bytes of readBody(open, STREAM_IDLE_TIMEOUT_MS)) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* parsed.splice(0)
  }
}
