import type { Collector } from './collector.ts'

/** About as much text as an answer holds in memory at once, in characters. */
const PART_CHARACTERS = 256 * 1024

/** An answer of JSON: whole when it is short, else part by part as the client takes it. */
export function jsonAnswer(pieces: Iterable<string>, collector: Collector): Response {
  const parts = inParts(pieces)
  const first = parts.next().value ?? ''
  const second = parts.next().value
  const headers = { 'content-type': 'application/json' }
  return new Response(second === undefined ? first : streamOf([first, second], parts, collector), { headers })
}

/**
 * Joins pieces into parts that are worth sending. The next part is made when it is asked for, so that a client that
 * reads slowly costs one part and not the whole text.
 */
export function* inParts(pieces: Iterable<string>): Generator<string, undefined> {
  let part = ''
  for (const piece of pieces) {
    part += piece
    if (part.length < PART_CHARACTERS) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

export function* around(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  yield before
  yield* pieces
  yield after
}

/** `made` have been made already. A text that can't be finished breaks the connection: nobody is to take it for whole. */
function streamOf(
  made: readonly string[],
  rest: Generator<string, undefined>,
  collector: Collector,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const waiting = [...made]
  const utf8 = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // A client that reads fast is not to hold up the others.
      await Bun.sleep(0)
      const next = waiting.shift() ?? rest.next().value
      if (next === undefined) controller.close()
      else controller.enqueue(utf8.encode(next))
      collector.made(2 * (next?.length ?? 0))
    },
    cancel: () => void rest.return(undefined),
  })
}
