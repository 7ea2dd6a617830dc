import type { Source } from '../../engine/job-order.ts'
import { parseAuthority } from '../../fetching/parse-authority.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { printable } from '../../text/printable.ts'
import { UsageError } from '../command.ts'

/** The URLs of a list, and what was left out of it. */
export interface UrlList {
  readonly sources: readonly Source[]
  /** One sentence per line that has no URL to fetch. It begins with the number of the line. */
  readonly unfetchable: readonly string[]
  /** One sentence per line whose further URLs were taken for mirrors of its first one. */
  readonly mirrors: readonly string[]
}

/**
 * Reads a list of URLs, one per line. A tab and the name of the entry may follow, and after another tab `sha256:` with the digest that the
 * file must have; the name may be empty. Lines end with LF, CR LF or CR. Empty lines and lines that begin with `#` are skipped.
 *
 * A line may hold several URLs. Between spaces, each is a source of its own. After a tab, they are mirrors of the first URL, as in
 * the input files of aria2: only the first one is fetched.
 */
export function readUrlList(text: string): UrlList {
  const sources: Source[] = []
  const unfetchable: string[] = []
  const mirrors: string[] = []
  for (const [index, line] of text.split(LINE_END).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [first = '', second = '', third = ''] = line.split('\t', 3)
    const urls = first.trim().split(BEFORE_NEXT_URL)
    const wrong = urls.find((url) => !isFetchable(url))
    if (wrong !== undefined) {
      unfetchable.push(`line ${index + 1}: ${problemOf(wrong)}`)
      continue
    }
    const digest = third.trim()
    if (digest.startsWith(DIGEST_START) && !DIGEST.test(digest)) {
      unfetchable.push(`line ${index + 1}: expected 64 hexadecimal digits after ${DIGEST_START}`)
      continue
    }
    const isMirror = URL_START.test(second.trim())
    if (isMirror) mirrors.push(`line ${index + 1}: ${MIRRORS}`)
    const name = isMirror || second.trim() === '' ? null : second.trim()
    const wanted = DIGEST.test(digest) ? { sha256: digest.slice(DIGEST_START.length).toLowerCase() } : {}
    // Name and digest are of one URL. Of several, the last one stands before them.
    for (const [at, url] of urls.entries())
      sources.push(at === urls.length - 1 ? { url, filename: name, ...wanted } : { url, filename: null })
  }
  return { sources, unfetchable, mirrors }
}

/** @throws UsageError unless the URL is an http or https URL; the message begins with `URL` and `number` */
export function assertFetchable(url: string, number: number): void {
  if (!isFetchable(url)) throw new UsageError(`URL ${number}: ${problemOf(url)}`)
}

function isFetchable(url: string): boolean {
  return url.length <= MAX_URL_CHARACTERS && parseAuthority(url) !== null
}

function problemOf(text: string): string {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  const isOther = scheme !== undefined && scheme !== 'http' && scheme !== 'https'
  const found = isOther ? ` Holdall can't fetch ${scheme}: ${printable(text, SHOWN_CHARACTERS)}` : ''
  return `expected an http or https URL of at most ${MAX_URL_CHARACTERS} characters.${found}`
}

const MIRRORS = 'only the first URL is fetched, since a tab comes before the others (mirrors)'
const DIGEST_START = 'sha256:'
const DIGEST = /^sha256:[\da-f]{64}$/i
const LINE_END = /\r\n|\n|\r/
const URL_START = /^https?:\/\//i
/** The spaces of a URL itself don't come before the start of another URL. */
const BEFORE_NEXT_URL = / +(?=https?:\/\/)/i
const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i
const SHOWN_CHARACTERS = 80
const MAX_URL_CHARACTERS = REQUEST_LIMITS.urlCharacters
