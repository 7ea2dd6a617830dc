import { unreadable } from './holdall-error.ts'
import { type OpenResponse, readBody, STREAM_IDLE_TIMEOUT_MS } from './read-body.ts'

/**
 * Yields the lines of JSON of a response until it ends.
 * @throws HoldallError `UNREACHABLE` if the connection breaks or is dead, `UNREADABLE` if a line is no JSON
 */
export async function* readLines<T>(open: OpenResponse): AsyncGenerator<T, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of readBody(open, STREAM_IDLE_TIMEOUT_MS)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parse(line)
  }
  if (rest.trim() !== '') yield parse(rest)
}

function parse<T>(line: string): T {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw unreadable(200, error)
  }
}
