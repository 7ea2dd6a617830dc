import { endOfSpacedName } from './spaced-name.ts'
import { wrappedLink } from './wrapped-link.ts'

/** Where a link ends, and the URL that it contains. */
export interface Extent {
  readonly end: number
  readonly url: string
}

/**
 * Decides where the link that begins at `start` ends, at the latest at `limit`. If a quote, `<`, `(` or `*` opens
 * directly before the link, its counterpart ends it. Otherwise the link ends at white space, at a bracket that it did not open
 * itself, or before the next link; then the punctuation of a sentence is cut off.
 *
 * @param body the index after the scheme
 */
export function linkExtent(
  text: string,
  start: number,
  body: number,
  limit: number,
  isMarkup: boolean,
): Extent {
  const opener = text[start - 1] ?? ''
  const closed = closedLink(text, start, limit, opener, isMarkup)
  if (closed !== null) return { end: closed, url: plainUrl(text.slice(start, closed), isMarkup) }
  const end = withoutPunctuation(text, body, openEnd(text, body, limit, opener), opener)
  const spaced = isMarkup ? null : endOfSpacedName(text, start, end, limit)
  if (spaced !== null) return { end: spaced, url: plainUrl(text.slice(start, spaced), isMarkup) }
  const wrapped = isMarkup ? null : wrappedLink(text, start, end, limit)
  if (wrapped !== null) return { end: wrapped.end, url: plainUrl(wrapped.url, isMarkup) }
  return { end, url: plainUrl(text.slice(start, end), isMarkup) }
}

/** The end of a link in `<...>` or in a quoted attribute, where it may contain spaces; null elsewhere. */
function closedLink(
  text: string,
  start: number,
  limit: number,
  opener: string,
  isMarkup: boolean,
): number | null {
  const isAttribute = isMarkup && /^(?:href|src)=["']$/i.test(attributeStart(text, start))
  if (opener !== '<' && !isAttribute) return null
  const line = text.slice(start, Math.min(limit, start + MAX_CLOSED_CHARACTERS))
  const length = (opener === '<' ? /[<>|"\n]/ : opener === '"' ? /["<>\n]/ : /['<>\n]/).exec(line)?.index
  const closer = line[length ?? -1] ?? '\n'
  if (length === undefined || !(opener === '<' ? '>|' : opener).includes(closer)) return null
  // `<https://a.test https://b.test>` is two links.
  return /[^/=?&#:]https?:\/\//i.test(line.slice(1, length)) ? null : start + length
}

/** `href="` or `src='` directly before a link. */
function attributeStart(text: string, start: number): string {
  return (
    /(?:href|src)\s?=\s?["']$/i.exec(text.slice(Math.max(0, start - 12), start))?.[0].replace(/\s/g, '') ?? ''
  )
}

function openEnd(text: string, body: number, limit: number, opener: string): number {
  const open: string[] = []
  let isQuery = false
  for (let index = body; index < limit; index += 1) {
    const character = text[index] ?? ''
    if (TERMINATORS.test(character) && !isJoiner(text, index)) return index
    if (character === '[' && CLOSING_CODE.test(text.slice(index, index + 12))) return index
    if (character === opener && CLOSES_ITSELF.includes(opener)) return index
    // Queries may contain bars; elsewhere, a bar separates links from other things.
    if (character === '?') isQuery = true
    if (character === '|' && !isQuery) return index
    if (character === '\\' && !/^\\(?:\/|u0026)/.test(text.slice(index, index + 6))) return index
    if (character === '&' && CLOSING_ENTITY.test(text.slice(index, index + 8))) return index
    if ((character === 'h' || character === 'H') && isNextLink(text, index)) return index
    const partner = PARTNERS[character]
    if (partner !== undefined) open.push(partner)
    else if (CLOSERS.includes(character) && open.pop() !== character) return index
  }
  return limit
}

/** Whether a character joins letters, as in Persian and Hindi words, and does not end a link. */
function isJoiner(text: string, index: number): boolean {
  return /^[\u200C\u200D](?!\p{ASCII})[\p{L}\p{M}]/u.test(text.slice(index, index + 3))
}

/**
 * Whether another link begins inside of a link. A link in the path or the query of another one belongs to it:
 * `https://archive.test/2026/https://a.test`, `https://a.test/?url=https://b.test`.
 */
function isNextLink(text: string, index: number): boolean {
  if (/[/=?&#:]/.test(text[index - 1] ?? '')) return false
  return /^https?:(?:\/\/|\\\/)/i.test(text.slice(index, index + 9))
}

function withoutPunctuation(text: string, body: number, end: number, opener: string): number {
  const trailing = EMPHASIS.includes(opener) && opener !== '' ? TRAILING + opener : TRAILING
  let last = end
  while (last > body && trailing.includes(text[last - 1] ?? ' ')) last -= 1
  return last
}

/**
 * The URL without the escapes of JSON and of markup. Part of a page's source may be pasted without its tags: there, every `&`
 * is escaped. What a URL can't contain is encoded (RFC 3986 section 2.1).
 */
function plainUrl(raw: string, isMarkup: boolean): string {
  let url = raw.includes('\\') ? raw.replace(/\\\//g, '/').replace(/\\u0026/gi, '&') : raw
  if (isMarkup || !PLAIN_AMPERSAND.test(url)) url = url.replace(/&(?:amp|#38|#x26);/gi, '&')
  return url.trim().replace(/[\s"|]/g, (character) => encodeURIComponent(character))
}

const PLAIN_AMPERSAND = /&(?!(?:amp|#38|#x26);)/i
/**
 * White space, control and invisible characters such as the marks of direction that chat programs add, and characters that no URL
 * contains, not even a typed one.
 */
const TERMINATORS =
  /[\s\p{Cc}\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC<>"`“”„‟«»‹›。，、；！？（）【】「」『』《》〈〉［］｛｝〔〕]/u
/** The end of a forum code: `[url]https://a.test[/url]`. */
const CLOSING_CODE = /^\[\/[a-z]{1,8}\]/i
/** The entities of what ends a link when it stands there by itself. */
const CLOSING_ENTITY =
  /^&(?:quot|apos|lt|gt|nbsp|#39|#x27|#34|#160|laquo|raquo|lsaquo|rsaquo|[lrb]dquo|[lrs][sb]quo|hellip|shy|lrm|rlm);/i
/** Characters that close what they opened. */
const CLOSES_ITSELF = ["'", '|']
const EMPHASIS = '*_~'
/** What ends a sentence or separates items of a list. */
const TRAILING = ".,;:!?'|…’‘"
const PARTNERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSERS = ')]}'
/** More than the longest URL. A bound, so that the text after an unclosed quote is not searched to its end. */
const MAX_CLOSED_CHARACTERS = 10_000
