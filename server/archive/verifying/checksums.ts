/** The name of a list of SHA-256 digests in an archive, and of the list of sources beside it. Either may be numbered. */
export const SUMS_NAME = /^SHA256SUMS(?: \(\d+\))?$/
export const SOURCES_NAME = /^sources(?: \(\d+\))?\.jsonl$/

/** Digests by name, as `sha256sum` writes them: a digest, a blank, a blank or `*`, a name. */
export interface Checksums {
  /** 64 digits in lower case, by name. */
  readonly digests: ReadonlyMap<string, string>
  /** How many lines are not of that form. */
  readonly unreadableLines: number
}

/** One line of a list, without its end; null if it is not of that form. */
export function parseChecksum(line: string): { readonly name: string; readonly digest: string } | null {
  const [, backslash, digest, name] = LINE.exec(line.replace(/\r$/, '')) ?? []
  if (digest === undefined || name === undefined) return null
  const unquoted = backslash === '' ? name : unescaped(name)
  return { name: unquoted.replace(/^\.\//, ''), digest: digest.toLowerCase() }
}

const LINE = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/

/** A backslash before the digest says that the name has such escapes. */
function unescaped(name: string): string {
  return name.replace(/\\([\\nr])/g, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\',
  )
}
