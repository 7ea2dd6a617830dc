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
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const [url = '', name = ''] = line.split('\t', 2)
    return [sourceOf(url.trim(), name.trim(), `line ${index + 1}`)]
  })
}

/** @throws UsageError unless the URL is an http or https URL; `where` locates it, for the message */
export function sourceOf(url: string, name: string, where: string): Source {
  if (parseAuthority(url) === null || url.length > MAX_URL_CHARACTERS) {
    throw new UsageError(
      `${where}: expected an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
    )
  }
  return { url, filename: name === '' ? null : name }
}

const MAX_URL_CHARACTERS = REQUEST_LIMITS.urlCharacters
