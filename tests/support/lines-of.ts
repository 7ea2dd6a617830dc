/** The lines of a stream, as they arrive. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    const lines = (text + decoder.decode(bytes, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
