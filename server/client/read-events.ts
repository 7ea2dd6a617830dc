import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type OpenResponse, readBody } from './read-body.ts'

/**
 * Yields the server-sent events of a response (WHATWG HTML, section 9.2) until it ends. `EventSource` can't be used, because
 * it can't send the API key.
 * @throws HoldallError `UNREACHABLE` if the connection breaks or is dead
 */
export async function* readEvents(open: OpenResponse): AsyncGenerator<EventSourceMessage, void> {
  const decoder = new TextDecoder()
  const parsed: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => parsed.push(event) })
  for await (const bytes of readBody(open, IDLE_TIMEOUT_MS)) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* parsed.splice(0)
  }
}

/** The service sends at least a comment every 15 s. After three missed ones the connection is considered dead. */
const IDLE_TIMEOUT_MS = 45_000
