/** A server-sent event, and when it arrived (`performance.now()`). */
export interface ReceivedEvent {
  readonly name: string
  /** Any JSON that the service sends. */
  readonly data: ReturnType<typeof JSON.parse>
  readonly atMs: number
}

/** An open stream of server-sent events. Disposing of it closes the connection. */
export interface EventStream extends AsyncDisposable {
  readonly response: Response
  /** The next event, or null at the end of the stream. */
  next(): Promise<ReceivedEvent | null>
  /** The next event with this name. Skips other events. */
  until(name: string): Promise<ReceivedEvent>
  /** All events until the end of the stream. */
  rest(): Promise<ReceivedEvent[]>
}

export async function openEventStream(url: string, key: string): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: abort.signal })
  const events = read(response)
  const stream: EventStream = {
    response,
    async next() {
      const { value, done } = await events.next()
      return done ? null : value
    },
    async until(name) {
      for (;;) {
        const event = await stream.next()
        if (event === null) throw new Error(`The stream ended before ${name}.`)
        if (event.name === name) return event
      }
    },
    async rest() {
      return await Array.fromAsync(events)
    },
    async [Symbol.asyncDispose]() {
      abort.abort()
      // A pending read fails, as intended.
      await events.return(undefined).catch(() => {})
    },
  }
  return stream
}

/** Parses the parts of the format that the service uses (WHATWG HTML, section 9.2.6), and skips comments. */
async function* read(response: Response): AsyncGenerator<ReceivedEvent, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? []
      if (name !== undefined && data !== undefined) {
        yield { name, data: JSON.parse(data), atMs: performance.now() }
      }
    }
  }
}
