/** One server-sent event. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/**
 * Creates a parser for server-sent events (WHATWG HTML, section 9.2.6). The stream may be split into chunks anywhere:
 * each call takes the next chunk and returns the events that it completes. Ignores comments, and the fields `id` and
 * `retry`, which Holdall does not send.
 */
export function createEventParser(): (chunk: string) => ServerEvent[] {
  let incompleteLine = ''
  let endedWithCr = false
  let name = ''
  let data: string[] = []

  return (chunk) => {
    // A CRLF that is split between two chunks is one line break, not two.
    const text = incompleteLine + (endedWithCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk)
    if (chunk !== '') endedWithCr = chunk.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    incompleteLine = lines.pop() ?? ''
    return lines.flatMap(parseLine)
  }

  function parseLine(line: string): ServerEvent[] {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    return []
  }

  function dispatch(): ServerEvent[] {
    const events = data.length === 0 ? [] : [{ name: name || 'message', data: data.join('\n') }]
    name = ''
    data = []
    return events
  }
}
