import type { GarbageCollector } from './garbage.ts'

/** Approximate length of the text of a response that is in memory at once. */
const CHUNK_CHARACTERS = 256 * 1024

/**
 * A response of JSON, or of JSON lines. Text of one chunk is sent whole; longer text is generated chunk by chunk as the client reads
 * it.
 * @param nextTurn is awaited before each chunk
 */
export function jsonResponse(
  pieces: Iterable<string>,
  collector: GarbageCollector,
  nextTurn: () => Promise<void>,
  status = 200,
  contentType: 'application/json' | 'application/x-ndjson' = 'application/json',
): Response {
  const chunks = inChunks(pieces)
  const first = chunks.next().value ?? ''
  const second = chunks.next().value
  const headers = { 'content-type': contentType }
  return new Response(second === undefined ? first : streamOf([first, second], chunks, collector, nextTurn), {
    status,
    headers,
  })
}

/**
 * Joins short pieces into chunks that are worth sending. Each chunk is generated on demand, so that a client that reads
 * slowly costs the memory of one chunk and not of the whole text.
 */
export function* inChunks(pieces: Iterable<string>): Generator<string, undefined> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
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
  collector: GarbageCollector,
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
      collector.allocated(2 * (next?.length ?? 0))
    },
    cancel: () => void rest.return(undefined),
  })
}
