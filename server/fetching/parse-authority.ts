import { type SourceUrl, splitUrl } from './source-url.ts'

/** The parts of a URL before its path. */
export type Authority = Omit<SourceUrl, 'href' | 'pathname' | 'path'>

/**
 * Parses an http or https URL up to its path, for callers that need only the scheme or the host: a parsed URL keeps a copy of
 * its text until the garbage collector runs, and 5,000 URLs of 8 KB are 40 MB. Paths and queries can't make a URL invalid (URL
 * Standard, section 4.4).
 * @returns null for any other text
 */
export function parseAuthority(text: string): Authority | null {
  const [start] = UP_TO_PATH.exec(text) ?? []
  const url = start === undefined ? null : URL.parse(start)
  return url === null ? null : splitUrl(url)
}

/**
 * The parser ignores tabs and line breaks, and takes any number of slashes and backslashes before the host. The character that
 * ends the host stays, because spaces are trimmed only at the end of the whole.
 */
const UP_TO_PATH = /^[^:]*:[/\\\t\n\r]*[^/\\?#]*[/\\?#]?/
