import { lastSegment, looksLikeFileName } from './file-name.ts'
import { findSchemelessLinks } from './find-schemeless-links.ts'

/**
 * A link that an e-mail program has broken over several lines. Between `<` and `>`, white space does not belong to a link (RFC 3986,
 * appendix C). Without them, a long line that ends in a link is continued by a line that is nothing but the rest of one.
 *
 * @param end where the link ends in its line
 * @param limit the end of its line
 * @returns the whole link and its end, which is in a later line; null when it is not broken
 */
export function wrappedLink(
  text: string,
  start: number,
  end: number,
  limit: number,
): { readonly end: number; readonly url: string } | null {
  if (!/^\r?$/.test(text.slice(end, limit)) || text[limit] !== '\n') return null
  const lineStart = text.lastIndexOf('\n', start) + 1
  const isBracketed = text[start - 1] === '<'
  const quote = /^(?:> ?)*/.exec(text.slice(lineStart, start))?.[0] ?? ''
  let whole = { end, url: text.slice(start, end) }
  let line = { start: lineStart, end: limit }
  for (let lines = 1; lines < MAX_LINES; lines += 1) {
    const next = lineAfter(text, line.end, quote)
    if (next === null) break
    const rest = isBracketed
      ? BRACKETED_REST.exec(next.text)?.[1]
      : restOf(whole.url, next.text, line.end - line.start)
    if (rest === undefined || rest.includes('://')) break
    whole = { end: next.start + rest.length, url: whole.url + rest }
    if (isBracketed && text[whole.end] === '>') return whole
    line = next
  }
  return isBracketed || whole.end === end ? null : whole
}

/** The line after the one that ends at an index, without the signs of a quoted e-mail. */
function lineAfter(text: string, index: number, quote: string) {
  const begin = index + 1
  if (index >= text.length || !text.startsWith(quote, begin)) return null
  const newLine = text.indexOf('\n', begin)
  const end = newLine === -1 ? text.length : newLine
  const start = begin + quote.length
  return { start, end, text: text.slice(start, Math.min(end, start + MAX_LINE_CHARACTERS)) }
}

/** The rest of a link: the only word of its line, if it is the end of a path or a query rather than a word. */
function restOf(url: string, line: string, lineCharacters: number): string | undefined {
  if (lineCharacters < MIN_BROKEN_LINE || looksLikeFileName(lastSegment(url))) return undefined
  const word = /^([^\s<>"“”„«»]+?)[.,;:!?)]*\r?$/.exec(line)?.[1]
  if (word === undefined || /^[-*•]|@/.test(word) || findSchemelessLinks(word).length > 0) return undefined
  return /[/=&%?]/.test(word) || /[-_=&%?]$/.test(url) || looksLikeFileName(word) ? word : undefined
}

const BRACKETED_REST = /^([^\s<>"]+)(?:>|\r?$)/
/** E-mail programs break lines at 72 to 78 characters, and the quotes of several e-mails take some of them. */
const MIN_BROKEN_LINE = 60
/** A bound, so that a long list takes time in proportion to its length. */
const MAX_LINES = 10
const MAX_LINE_CHARACTERS = 1_000
