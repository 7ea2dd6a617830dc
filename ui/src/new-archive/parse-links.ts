import { detectTable, splitFields, type TableFormat } from './table-format.ts'

/** The longest URL that the service accepts. */
const MAX_URL_CHARACTERS = 8_192

export interface Link {
  readonly url: string
  /** The file name given in the text, with `/` between folders; null if the URL and the response decide. */
  readonly filename: string | null
}

export interface LineProblem {
  /** Counted from 1, like the line numbers in the text area. */
  readonly line: number
  readonly text: string
  readonly reason: string
  /** The line would be a valid link with `https://` in front. */
  readonly isSchemeMissing: boolean
}

export interface ParsedLinks {
  /** In the order of the lines, including duplicates. */
  readonly links: readonly Link[]
  readonly problems: readonly LineProblem[]
  /** How many of the links repeat the URL of an earlier one. */
  readonly duplicates: number
}

/**
 * Parses pasted text. A line contains links separated by spaces, possibly among other words; or one link and its file
 * name, as `url, name` or in the columns of a table (see {@link detectTable}). Empty lines are ignored.
 */
export function parseLinks(text: string): ParsedLinks {
  const links: Link[] = []
  const problems: LineProblem[] = []
  const lines = text.split('\n')
  const format = detectTable(lines)
  lines.forEach((lineText, index) => {
    for (const { url, filename } of linksInLine(lineText, index, format)) {
      const reason = urlProblem(url)
      if (reason === null) links.push({ url, filename })
      else problems.push({ line: index + 1, text: url, reason, isSchemeMissing: looksLikeHost(url) })
    }
  })
  return { links, problems, duplicates: links.length - new Set(links.map(({ url }) => url)).size }
}

/** Removes the lines that have a problem. */
export function withoutProblems(text: string): string {
  const problemLines = new Set(parseLinks(text).problems.map((problem) => problem.line))
  return text
    .split('\n')
    .filter((_, index) => !problemLines.has(index + 1))
    .join('\n')
}

/** Adds `https://` to links without a scheme. */
export function withSchemes(text: string): string {
  return mapUrls(text, (url) => (looksLikeHost(url) ? `https://${url}` : url))
}

/** Keeps only the first occurrence of each URL. */
export function withoutDuplicates(text: string): string {
  const seen = new Set<string>()
  return mapUrls(text, (url) => {
    if (seen.has(url)) return null
    seen.add(url)
    return url
  })
}

/** Replaces each URL, or removes it if `replace` returns null. Lines without changes stay exactly as they are. */
function mapUrls(text: string, replace: (url: string) => string | null): string {
  const lines = text.split('\n')
  const format = detectTable(lines)
  return lines
    .flatMap((line, index) => {
      const changes = linksInLine(line, index, format).map(({ url }) => ({
        oldUrl: url,
        newUrl: replace(url),
      }))
      if (changes.every(({ oldUrl, newUrl }) => oldUrl === newUrl)) return [line]
      const [only, ...others] = changes
      if (only?.newUrl != null && others.length === 0)
        return [line.replace(only.oldUrl, () => only.newUrl ?? '')]
      return changes.flatMap(({ newUrl }) => newUrl ?? [])
    })
    .join('\n')
}

function linksInLine(line: string, index: number, format: TableFormat | null): Link[] {
  if (line.trim() === '' || index === format?.headerLine) return []
  if (format !== null) return [linkFromFields(splitFields(line, format.separator), format)]
  const named = /^\s*(\S+?)\s*(?:\t|,\s)\s*(.+)$/.exec(line)
  if (named && !/https?:\/\//i.test(named[2] ?? '') && looksLikeLink(named[1] ?? '')) {
    return [{ url: unwrap(named[1] ?? ''), filename: unwrap(named[2] ?? '') || null }]
  }
  return separateLinks(line).map((url) => ({ url, filename: null }))
}

function linkFromFields(fields: readonly string[], format: TableFormat): Link {
  const field = (column: number) => fields[column]?.trim() ?? ''
  const path = [field(format.folderColumn), field(format.nameColumn)].filter((part) => part !== '').join('/')
  return { url: field(format.urlColumn), filename: field(format.nameColumn) === '' ? null : path }
}

/** Splits at spaces that precede another link, because links may contain spaces. Drops words before the first link. */
function separateLinks(line: string): string[] {
  const parts = line
    .split(/\s+(?=[<"'(]*https?:\/\/)/i)
    .map(unwrap)
    .filter((part) => part !== '')
  const isProse = parts.length > 1 && !looksLikeLink(parts[0] ?? '')
  return isProse ? parts.slice(1).map(linkFromProse) : parts
}

/** Cuts off the words and the punctuation that follow a link in a sentence. */
function linkFromProse(part: string): string {
  return unwrap((part.split(/\s/, 1)[0] ?? '').replace(/[.!?:]+$/, ''))
}

/** Removes what surrounds links in lists and sentences: `<...>`, quotes, parentheses, a trailing comma. */
function unwrap(text: string): string {
  let link = text.trim().replace(/^[<"'(]+|[>"',;]+$/g, '')
  // Keeps a closing parenthesis that is part of the link: https://en.wikipedia.org/wiki/Bag_(unit).
  while (link.endsWith(')') && link.split(')').length > link.split('(').length) link = link.slice(0, -1)
  return link
}

function looksLikeLink(text: string): boolean {
  return /^[<"'(]*[a-z][a-z\d+.-]*:/i.test(text) || looksLikeHost(text)
}

/** Returns a short reason why the text is not a URL that can be fetched; null if it is one. */
export function urlProblem(candidate: string): string | null {
  if (candidate.length > MAX_URL_CHARACTERS) return 'Longer than 8,192 characters'
  if (looksLikeHost(candidate)) return 'Lacks https://'
  const url = URL.parse(candidate)
  if (url === null) return 'Not a link'
  if (url.protocol === 'http:' || url.protocol === 'https:') return null
  return `Only http and https can be fetched, not ${url.protocol.slice(0, -1)}`
}

/** Matches `example.org/a`, and `example.org:8080`, which `URL` would parse as a URL with the scheme `example.org`. */
function looksLikeHost(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(text)
}
