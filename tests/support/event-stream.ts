/** One server-sent event, and when it came (`performance.now()`). */
export interface ReceivedEvent {
  readonly name: string
  /** Whatever JSON the service sent: tests look into it as a client would. */
  readonly data: ReturnType<typeof JSON.parse>
  readonly atMs: number
}

/** An open stream of server-sent events; disposing of it hangs up. */
export interface EventStream extends AsyncDisposable {
  readonly response: Response
  /** The next event, or null when the stream has ended. */
  next(): Promise<ReceivedEvent | null>
  /** The next event of that name; what comes before it is passed over. */
  until(name: string): Promise<ReceivedEvent>
  /** All that comes until the stream ends. */
  rest(): Promise<ReceivedEvent[]>
}

export async function openEventStream(url: string, key: string): Promise<EventStream> {
  const hangUp = new AbortController()
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: hangUp.signal })
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
      hangUp.abort()
      // What was being read is cut off: that is the point.
      await events.return(undefined).catch(() => {})
    },
  }
  return stream
}

/** WHATWG HTML, section 9.2.6, for what the service makes use of; comments are passed over. */
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
