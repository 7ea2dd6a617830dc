/** As long as the service takes a URL. */
const MAX_URL_CHARACTERS = 8_192

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
  readonly urls: readonly string[]
  readonly problems: readonly LineProblem[]
  /** How many of `urls` repeat an earlier one. */
  readonly duplicates: number
}

/** Reads pasted text: a link a line, or several on a line with space between. Empty lines don't count. */
export function parseLinks(text: string): ParsedLinks {
  const urls: string[] = []
  const problems: LineProblem[] = []
  text.split('\n').forEach((lineText, index) => {
    for (const candidate of candidatesOf(lineText)) {
      const reason = reasonAgainst(candidate)
      if (reason === null) urls.push(candidate)
      else problems.push({ line: index + 1, text: candidate, reason, lacksScheme: looksLikeHost(candidate) })
    }
  })
  return { urls, problems, duplicates: urls.length - new Set(urls).size }
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
  return mapCandidates(text, (candidate) => [looksLikeHost(candidate) ? `https://${candidate}` : candidate])
}

/** The text with each link once. */
export function withoutDuplicates(text: string): string {
  const seen = new Set<string>()
  return mapCandidates(text, (candidate) => {
    if (seen.has(candidate)) return []
    seen.add(candidate)
    return [candidate]
  })
}

/** The text with a line a candidate, each replaced; empty lines stay. */
function mapCandidates(text: string, replace: (candidate: string) => string[]): string {
  return text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [line] : candidatesOf(line).flatMap(replace)))
    .join('\n')
}

/** A link may hold spaces, so that only one before another link parts them. */
function candidatesOf(line: string): string[] {
  return line
    .split(/\s+(?=[<"']?https?:\/\/)/i)
    .map(unwrap)
    .filter((candidate) => candidate !== '')
}

/** Takes off what lists put around links: `<...>`, quotes, a comma at the end. */
function unwrap(text: string): string {
  return text.trim().replace(/^[<"']+|[>"',;]+$/g, '')
}

function reasonAgainst(candidate: string): string | null {
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
