/** What a pasted list comes to. */
export interface UrlList {
  readonly urls: readonly string[]
  /** Lines that hold no URL that can be fetched, by number from 1. */
  readonly problems: readonly LineProblem[]
  /** How many URLs stand there more than once; each gives an entry of its own. */
  readonly duplicates: number
}

export interface LineProblem {
  readonly line: number
  readonly text: string
  readonly reason: string
}

/** Reads a line a URL; empty lines count for nothing. */
export function readUrlList(text: string): UrlList {
  const urls: string[] = []
  const problems: LineProblem[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '') continue
    const reason = problemOf(line)
    if (reason === null) urls.push(line)
    else problems.push({ line: index + 1, text: line, reason })
  }
  return { urls, problems, duplicates: urls.length - new Set(urls).size }
}

function problemOf(line: string): string | null {
  if (/\s/.test(line)) return 'has a space in it: put each URL on a line of its own'
  const url = URL.parse(line)
  if (url === null) return 'is not a whole URL: it should begin with https://'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'is not a web address (http or https)'
  if (line.length > MAX_URL_CHARACTERS) return `is longer than ${MAX_URL_CHARACTERS} characters`
  return null
}

const MAX_URL_CHARACTERS = 8192
