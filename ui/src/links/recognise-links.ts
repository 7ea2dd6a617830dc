import { lastSegment, looksLikeFileName } from './file-name.ts'
import { createLinkFinder, type LinkInText } from './find-links.ts'
import { findSchemelessLinks } from './find-schemeless-links.ts'
import { type Recognised, type UrlProblem, urlProblem } from './link.ts'
import { cleanName, isNameLike, labelBesideLink } from './link-name.ts'
import { beginsAsJson, readJson } from './read-json.ts'
import { detectTable, fieldsOf, type TableFormat, urlOfField } from './table-format.ts'

/** What was recognised since the last step, and how many characters of the text have been read. */
export interface RecognitionStep {
  readonly items: readonly Recognised[]
  readonly read: number
}

/**
 * Recognises the links of a text and yields them in its order. Every `http://` and `https://` is a link, wherever it stands: in
 * prose, Markdown, HTML, JSON and tables. Takes time in proportion to the length of the text. See
 * ui/decisions/recognising-links.md.
 */
export function* recogniseLinks(text: string): Generator<RecognitionStep> {
  if (beginsAsJson(text) && LINK.test(text)) {
    for (const { items, read } of readJson(text)) yield { items: items.map(checked), read }
    return
  }
  const isMarkup = TAG.test(text)
  const findLinks = createLinkFinder(text, isMarkup)
  const format = isMarkup ? null : detectTable(firstLines(text))
  let isHeaderRead = false
  let isInTag = false
  for (let start = 0; start < text.length; ) {
    const newLine = text.indexOf('\n', start)
    const lineEnd = newLine === -1 ? text.length : newLine
    const line = text.slice(start, lineEnd)
    const links = findLinks(start, lineEnd)
    const end = endOfLine(text, Math.max(lineEnd, links.at(-1)?.end ?? 0))
    const isHeader = !isHeaderRead && line === format?.header
    if (isHeader) isHeaderRead = true
    else
      yield {
        items: itemsOfLine({ text, line, start, links, format, isMarkup, isInTag }).map(checked),
        read: end,
      }
    isInTag = endsInTag(line, isInTag)
    start = end + 1
  }
}

/** The end of the line that an index is in: a link that an e-mail program has broken ends in a later line than it begins. */
function endOfLine(text: string, index: number): number {
  const newLine = text.indexOf('\n', index)
  return newLine === -1 ? text.length : newLine
}

/** Recognises a whole text at once. */
export function recognisedIn(text: string): Recognised[] {
  return [...recogniseLinks(text)].flatMap(({ items }) => items)
}

interface Line {
  readonly text: string
  readonly line: string
  /** Its index in the text. */
  readonly start: number
  readonly links: readonly LinkInText[]
  readonly format: TableFormat | null
  readonly isMarkup: boolean
  /** A tag that an earlier line opened is still open. */
  readonly isInTag: boolean
}

function itemsOfLine(at: Line): Recognised[] {
  const { text, line, links, format, isMarkup } = at
  const row = format === null ? null : rowItems(line, links, format)
  if (row !== null) return row
  const [only] = links
  if (only === undefined) return itemsWithoutLink(isMarkup ? wordsOf(line, at.isInTag) : line)
  const named = links.length === 1 ? nameInLine(at, only) : null
  return links.map((link) => {
    const label = labelBesideLink(text, link, isMarkup)
    const isName = label !== null && looksLikeFileName(label, link.url)
    const filename = named ?? (isName ? cleanName(label) : null)
    const offered = filename === null && label !== null && isNameLike(label) ? cleanName(label) : null
    return { kind: 'link', url: link.url, filename, ...(offered !== null && { label: offered }) }
  })
}

/** The links of a row of a table; null if the row has another form, so that no link in it is lost. */
function rowItems(line: string, links: readonly LinkInText[], format: TableFormat): Recognised[] | null {
  const { urlColumn, nameColumn, folderColumn } = format
  const fields = fitted(fieldsOf(line, format.separator), format)
  if (links.length === 0) return format.separator === '|' && /^[\s|:-]+$/.test(line) ? [] : null
  const field = (fields[urlColumn] ?? '').trim()
  const url = urlOfField(field)
  if (url === null || links.length !== 1 || (field.startsWith('<') && url !== links[0]?.url)) return null
  const name = (fields[nameColumn] ?? '').trim()
  const path = [(fields[folderColumn] ?? '').trim(), name].filter((part) => part !== '').join('/')
  return [{ kind: 'link', url, filename: name === '' || LINK.test(name) ? null : cleanName(path) }]
}

/**
 * The fields of a row that has more separators than the table has columns. A URL may contain them, unless it ends as a file does; else
 * they belong to the last column.
 */
function fitted(
  fields: readonly string[],
  { separator, columnCount, urlColumn }: TableFormat,
): readonly string[] {
  const surplus = fields.length - columnCount
  if (surplus <= 0) return fields
  const url = fields[urlColumn] ?? ''
  const isLast = urlColumn === columnCount - 1
  let inUrl = isLast ? surplus : looksLikeFileName(lastSegment(url)) ? 0 : surplus
  // A space after a separator is in a name, since no URL has one.
  while (!isLast && inUrl > 0 && /^\s/.test(fields[urlColumn + inUrl + 1] ?? '')) inUrl -= 1
  const joined = fields.toSpliced(
    urlColumn,
    1 + inUrl,
    fields.slice(urlColumn, urlColumn + 1 + inUrl).join(separator),
  )
  return [...joined.slice(0, columnCount - 1), joined.slice(columnCount - 1).join(separator)]
}

/** The name after the only link of a line: after a tab, or after a comma and a space if it looks like a file name. */
function nameInLine({ text, line, start }: Line, link: LinkInText): string | null {
  if (
    line
      .slice(0, link.start - start)
      .trim()
      .replace('<', '') !== ''
  )
    return null
  const rest = text
    .slice(link.end, start + line.length)
    .replace(/^>/, '')
    .trimEnd()
  const field = /^\t([^\t]+)$/.exec(rest)?.[1]
  if (field !== undefined) {
    const quoted = /^"(.*)"$/.exec(field)?.[1]?.replace(/""/g, '"')
    return quoted === undefined ? (isNameLike(field) ? cleanName(field) : null) : cleanName(quoted)
  }
  const name = /^,\s+"?([^"]+)"?$/.exec(rest)?.[1] ?? ''
  return looksLikeFileName(name) ? cleanName(name) : null
}

/** The words of a line between its tags. */
function wordsOf(line: string, isInTag: boolean): string {
  return (isInTag ? `<${line}` : line).replace(/<[^<>]*>?/g, ' ').replace(/&nbsp;/g, ' ')
}

/** Whether a tag is open at the end of a line. */
function endsInTag(line: string, isInTag: boolean): boolean {
  const open = line.lastIndexOf('<')
  const close = line.lastIndexOf('>')
  return open === close ? isInTag : open > close && /[a-z/!]/i.test(line[open + 1] ?? '')
}

function itemsWithoutLink(line: string): Recognised[] {
  const words = line.trim()
  if (words === '' || words === '\uFEFF') return []
  const schemeless = findSchemelessLinks(words)
  if (schemeless.length > 0) return schemeless
  const scheme = /(?:^|[\s<"'(])(s?ftps?):\/\/\S/i.exec(words)?.[1]?.toLowerCase()
  const reason: UrlProblem | null = scheme === undefined ? null : { code: 'UNSUPPORTED_SCHEME', scheme }
  return [{ kind: 'text', text: words, reason }]
}

/** A link that can't be fetched is kept as a text, with the reason. */
function checked(item: Recognised): Recognised {
  const reason = item.kind === 'link' ? urlProblem(item.url) : null
  return item.kind === 'link' && reason !== null ? { kind: 'text', text: item.url, reason } : item
}

function firstLines(text: string): string[] {
  return text
    .slice(0, SAMPLE_CHARACTERS)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES)
}

const LINK = /https?:(?:\/\/|\\\/\\\/)/i
/** A tag of HTML or XML, but not `<https://a.test>`. */
const TAG =
  /<(?:[a-z][a-z\d:-]{0,30}(?:\s[^<>]{0,2000})?\/?>|[a-z][a-z\d:-]{0,30}\s[^<>]{0,500}=["']|!doctype\s|\?xml\s)/i
/** How much of a text decides whether it is a table. */
const SAMPLE_CHARACTERS = 100_000
const SAMPLE_LINES = 200
