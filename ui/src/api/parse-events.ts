/** One server-sent event. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/**
 * Reads server-sent events (WHATWG HTML, section 9.2.6) from text that may be cut anywhere: give it piece after
 * piece, it gives back the events that are whole by then. Comments and the fields that Holdall does not send, `id`
 * and `retry`, are passed over.
 */
export function createEventParser(): (piece: string) => ServerEvent[] {
  let rest = ''
  let endedWithReturn = false
  let name = ''
  let data: string[] = []

  return (piece) => {
    // A CRLF that was cut in its middle is one line break, not two.
    const text = rest + (endedWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece)
    if (piece !== '') endedWithReturn = piece.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    return lines.flatMap(take)
  }

  function take(line: string): ServerEvent[] {
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
