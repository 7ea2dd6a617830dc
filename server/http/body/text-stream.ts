import type { ResponseMemory } from './response-memory.ts'

/**
 * A response of JSON, or of JSON lines. Text of one part is sent whole; longer text is generated part by part as the client reads it.
 * @param nextTurn is awaited before each part
 */
export function jsonResponse(
  pieces: Iterable<string>,
  memory: ResponseMemory,
  nextTurn: () => Promise<void>,
  status = 200,
  contentType: 'application/json' | 'application/x-ndjson' = 'application/json',
): Response {
  const parts = inParts(pieces, memory)
  const first = parts.next().value ?? ''
  const second = parts.next().value
  const headers = { 'content-type': contentType }
  return new Response(second === undefined ? first : streamOf([first, second], parts, memory, nextTurn), {
    status,
    headers,
  })
}

/**
 * Joins short pieces into parts that are worth sending. Each part is generated on demand, so that a client that reads
 * slowly costs the memory of one part and not of the whole text.
 */
export function* inParts(pieces: Iterable<string>, memory: ResponseMemory): Generator<string, undefined> {
  let part = ''
  for (const piece of pieces) {
    part += piece
    if (part.length < memory.partBytes()) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

export function* enclose(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  yield before
  yield* pieces
  yield after
}

/** When a piece fails, the connection breaks, so that no client takes half a text for the whole. */
function streamOf(
  generated: readonly string[],
  rest: Generator<string, undefined>,
  memory: ResponseMemory,
  nextTurn: () => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const queue = [...generated]
  const utf8 = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const next = queue.shift() ?? rest.next().value
      if (next === undefined) controller.close()
      else controller.enqueue(utf8.encode(next))
      memory.made(2 * (next?.length ?? 0))
    },
    cancel: () => void rest.return(undefined),
  })
}
