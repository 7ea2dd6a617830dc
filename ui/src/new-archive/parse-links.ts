import { type LineFormat, lineFormatOf, splitFields } from './line-format.ts'

/** As long as the service takes a URL. */
const MAX_URL_CHARACTERS = 8_192

export interface Link {
  readonly url: string
  /** The name that the list gives it, with `/` between folders; null leaves it to the URL and the response. */
  readonly filename: string | null
}

export interface LineProblem {
  /** Counted from 1, as the box numbers them. */
  readonly line: number
  readonly text: string
  readonly reason: string
  /** Only `https://` is wanting. */
  readonly lacksScheme: boolean
}

export interface ParsedLinks {
  /** In the order of the lines; the same link twice is here twice. */
  readonly links: readonly Link[]
  readonly problems: readonly LineProblem[]
  /** How many of the links repeat the URL of an earlier one. */
  readonly duplicates: number
}

/**
 * Reads pasted text. Each line holds links with space between them, words around them if need be, or one link and
 * the name for its file, as `url, name` or in columns (see {@link lineFormatOf}). Empty lines don't count.
 */
export function parseLinks(text: string): ParsedLinks {
  const links: Link[] = []
  const problems: LineProblem[] = []
  const lines = text.split('\n')
  const format = lineFormatOf(lines)
  lines.forEach((lineText, index) => {
    for (const { url, filename } of candidatesOf(lineText, index, format)) {
      const reason = urlProblem(url)
      if (reason === null) links.push({ url, filename })
      else problems.push({ line: index + 1, text: url, reason, lacksScheme: looksLikeHost(url) })
    }
  })
  return { links, problems, duplicates: links.length - new Set(links.map(({ url }) => url)).size }
}

/** The text without the lines that hold a problem. */
export function withoutProblems(text: string): string {
  const wrong = new Set(parseLinks(text).problems.map((problem) => problem.line))
  return text
    .split('\n')
    .filter((_, index) => !wrong.has(index + 1))
    .join('\n')
}

/** The text with `https://` before what is a link but for that. */
export function withSchemes(text: string): string {
  return mapUrls(text, (url) => (looksLikeHost(url) ? `https://${url}` : url))
}

/** The text with each link once. */
export function withoutDuplicates(text: string): string {
  const seen = new Set<string>()
  return mapUrls(text, (url) => {
    if (seen.has(url)) return null
    seen.add(url)
    return url
  })
}

/** The text with each URL replaced, or taken out for null; lines in which nothing changes stay as they are. */
function mapUrls(text: string, replace: (url: string) => string | null): string {
  const lines = text.split('\n')
  const format = lineFormatOf(lines)
  return lines
    .flatMap((line, index) => {
      const changes = candidatesOf(line, index, format).map(({ url }) => ({ from: url, to: replace(url) }))
      if (changes.every(({ from, to }) => from === to)) return [line]
      const [only, ...others] = changes
      if (only?.to != null && others.length === 0) return [line.replace(only.from, () => only.to ?? '')]
      return changes.flatMap(({ to }) => to ?? [])
    })
    .join('\n')
}

function candidatesOf(line: string, index: number, format: LineFormat | null): Link[] {
  if (line.trim() === '' || index === format?.headerLine) return []
  if (format !== null) return [linkOfFields(splitFields(line, format.separator), format)]
  const named = /^\s*(\S+?)\s*(?:\t|,\s)\s*(.+)$/.exec(line)
  if (named && !/https?:\/\//i.test(named[2] ?? '') && isLinkLike(named[1] ?? '')) {
    return [{ url: unwrap(named[1] ?? ''), filename: unwrap(named[2] ?? '') || null }]
  }
  return separateLinks(line).map((url) => ({ url, filename: null }))
}

function linkOfFields(fields: readonly string[], format: LineFormat): Link {
  const field = (column: number) => fields[column]?.trim() ?? ''
  const path = [field(format.folderColumn), field(format.nameColumn)].filter((part) => part !== '').join('/')
  return { url: field(format.urlColumn), filename: field(format.nameColumn) === '' ? null : path }
}

/** A link may hold spaces, so that only one before another link parts them. Words before the first link go. */
function separateLinks(line: string): string[] {
  const parts = line
    .split(/\s+(?=[<"'(]*https?:\/\/)/i)
    .map(unwrap)
    .filter((part) => part !== '')
  const isProse = parts.length > 1 && !isLinkLike(parts[0] ?? '')
  return isProse ? parts.slice(1).map(linkOfProse) : parts
}

/** Behind a link in a sentence come other words, or the end of the sentence. */
function linkOfProse(part: string): string {
  return unwrap((part.split(/\s/, 1)[0] ?? '').replace(/[.!?:]+$/, ''))
}

/** Takes off what lists and sentences put around links: `<...>`, quotes, brackets, a comma at the end. */
function unwrap(text: string): string {
  let link = text.trim().replace(/^[<"'(]+|[>"',;]+$/g, '')
  // A bracket that the link itself opens is its own: https://en.wikipedia.org/wiki/Bag_(unit).
  while (link.endsWith(')') && link.split(')').length > link.split('(').length) link = link.slice(0, -1)
  return link
}

function isLinkLike(text: string): boolean {
  return /^[<"'(]*[a-z][a-z\d+.-]*:/i.test(text) || looksLikeHost(text)
}

/** Why that is not a link that can be fetched, in a few words; null when it is one. */
export function urlProblem(candidate: string): string | null {
  if (candidate.length > MAX_URL_CHARACTERS) return 'Longer than 8,192 characters'
  if (looksLikeHost(candidate)) return 'Lacks https://'
  const url = URL.parse(candidate)
  if (url === null) return 'Not a link'
  if (url.protocol === 'http:' || url.protocol === 'https:') return null
  return `Only http and https can be fetched, not ${url.protocol.slice(0, -1)}`
}

/** `example.org/a`, and `example.org:8080`, which would be read as a URL of a scheme of that name. */
function looksLikeHost(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(text)
}
