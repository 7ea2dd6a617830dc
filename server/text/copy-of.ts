/** A string of its own: a slice keeps the whole string in memory, for example a URL or all headers of a response. */
export function copyOf(slice: string): string {
  return Buffer.from(slice).toString()
}
