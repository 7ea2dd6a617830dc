/** Reads the output of a process until it matches. @returns the first group of the match */
export async function firstMatch(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`No ${pattern} in: ${text}`)
}
