import type { Source, SourcesInMemory } from '../engine/job-order.ts'
import { parseAuthority } from '../fetching/parse-authority.ts'
import { REQUEST_LIMITS } from '../request-limits.ts'
import { UsageError } from './command.ts'

/**
 * Reads a list of URLs: one URL per line, which a tab and the name of its entry may follow. Empty lines and lines that
 * begin with `#` are skipped.
 * @throws UsageError that names the line
 */
export function readUrlList(text: string): SourcesInMemory {
  const starts: number[] = []
  let lineNumber = 0
  // Line by line, since lists have tens of thousands of lines, and split all at once they take twice the time.
  for (let start = 0; start < text.length; ) {
    const line = lineAt(text, start)
    lineNumber += 1
    if (line.trim() !== '' && !line.startsWith('#')) {
      assertFetchable(sourceOfLine(line).url, 'line', lineNumber)
      starts.push(start)
    }
    start += line.length + 1
  }
  return new UrlList(text, starts)
}

/** @throws UsageError unless the URL is an http or https URL; the message begins with `kind` and `number` */
export function assertFetchable(url: string, kind: string, number: number): void {
  if (parseAuthority(url) === null || url.length > MAX_URL_CHARACTERS) {
    throw new UsageError(
      `${kind} ${number}: expected an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
    )
  }
}

/**
 * The sources of a list, each made from its line when it is read. 70,000 of them as objects would take 8 MB, and each
 * collection of garbage would visit every one.
 */
class UrlList implements SourcesInMemory {
  readonly #text: string
  /** Where the line of each source begins. */
  readonly #starts: readonly number[]

  constructor(text: string, starts: readonly number[]) {
    this.#text = text
    this.#starts = starts
  }

  get length(): number {
    return this.#starts.length
  }

  slice(first: number, end: number): Source[] {
    const sources: Source[] = []
    // Not with `slice` and `map`: most calls are for a single source, and thousands of them leave much garbage.
    for (let index = first; index < Math.min(end, this.length); index++)
      sources.push(sourceOfLine(lineAt(this.#text, this.#starts[index] ?? 0)))
    return sources
  }
}

/** The line that begins there, without its end. */
function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? text.length : end)
}

/** What follows a second tab is ignored. */
function sourceOfLine(line: string): Source {
  if (!line.includes('\t')) return { url: line.trim(), filename: null }
  const [url = '', name = ''] = line.split('\t', 2)
  return { url: url.trim(), filename: name.trim() === '' ? null : name.trim() }
}

const MAX_URL_CHARACTERS = REQUEST_LIMITS.urlCharacters
