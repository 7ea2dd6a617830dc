import type { Source } from '../engine/job-order.ts'
import { UsageError } from './arguments.ts'

/**
 * Reads a list of URLs: a line a URL, and after a tab the name that its entry is to have. Empty lines and those that
 * begin with `#` count for nothing.
 * @throws UsageError that names the line
 */
export function readUrlList(text: string): Source[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const [url = '', name = ''] = line.split('\t', 2)
    return [sourceOf(url.trim(), name.trim(), `line ${index + 1}`)]
  })
}

/** @throws UsageError for what is no http or https URL; `where` says which it is */
export function sourceOf(url: string, name: string, where: string): Source {
  const protocol = URL.parse(url)?.protocol
  if ((protocol !== 'http:' && protocol !== 'https:') || url.length > MAX_URL_CHARACTERS) {
    throw new UsageError(
      `${where}: expected an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
    )
  }
  return { url, filename: name === '' ? null : name }
}

/** As in the service's API. */
const MAX_URL_CHARACTERS = 8192
