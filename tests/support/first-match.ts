/**
 * Reads the output of a process until it matches. What comes after that is read, too: to write to a pipe that nobody reads any more would
 * end the process.
 * @returns the first group of the match
 */
export async function firstMatch(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`No ${pattern} in: ${text}`)
    text += decoder.decode(value, { stream: true })
    const found = pattern.exec(text)?.[1]
    if (found === undefined) continue
    void readToEnd(reader)
    return found
  }
}

async function readToEnd(reader: { read(): Promise<{ readonly done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
