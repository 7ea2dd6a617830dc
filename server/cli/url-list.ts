import type { Source } from '../engine/job-order.ts'
import { parseAuthority } from '../fetching/parse-authority.ts'
import { REQUEST_LIMITS } from '../request-limits.ts'
import { UsageError } from './command.ts'

/**
 * Reads a list of URLs: one URL per line, which a tab and the name of its entry may follow. Empty lines and lines that
 * begin with `#` are skipped.
 * @throws UsageError that names the line
 */
export function readUrlList(text: string): Source[] {
  const sources: Source[] = []
  let lineNumber = 0
  // Line by line, since lists have tens of thousands of lines, and split all at once they take twice the time.
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start)
    const line = text.slice(start, end)
    start = end + 1
    lineNumber += 1
    if (line.trim() !== '' && !line.startsWith('#')) sources.push(sourceOfLine(line, lineNumber))
  }
  return sources
}

/** @throws UsageError unless the URL is an http or https URL; the message begins with `kind` and `number` */
export function sourceOf(url: string, name: string, kind: string, number: number): Source {
  if (parseAuthority(url) === null || url.length > MAX_URL_CHARACTERS) {
    throw new UsageError(
      `${kind} ${number}: expected an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
    )
  }
  return { url, filename: name === '' ? null : name }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** What follows a second tab is ignored. */
function sourceOfLine(line: string, lineNumber: number): Source {
  if (!line.includes('\t')) return sourceOf(line.trim(), '', 'line', lineNumber)
  const [url = '', name = ''] = line.split('\t', 2)
  return sourceOf(url.trim(), name.trim(), 'line', lineNumber)
}

const MAX_URL_CHARACTERS = REQUEST_LIMITS.urlCharacters
