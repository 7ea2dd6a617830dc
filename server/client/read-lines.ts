import { unreadable } from './holdall-error.ts'
import { type OpenResponse, readBody } from './read-body.ts'

/**
 * Yields the lines of JSON of a response until it ends.
 * @throws HoldallError `UNREACHABLE` if the connection breaks or is dead, `UNREADABLE` if a line is no JSON
 */
export async function* readLines<T>(open: OpenResponse): AsyncGenerator<T, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of readBody(open, IDLE_TIMEOUT_MS)) {
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

/** The service sends at least a space every 15 s. After three missed ones the connection is considered dead. */
const IDLE_TIMEOUT_MS = 45_000
