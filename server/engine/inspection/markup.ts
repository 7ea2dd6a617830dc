import { collectWithin } from '../../garbage.ts'

/** What the scanner finds, in the order of the text. */
export interface MarkupHandlers {
  /** A start tag. Its name is in lower case. In XML, an empty element also ends at once. */
  start(name: string, attributes: Attributes): void
  end(name: string): void
  /** Text as it is written, with its character references. `isLiteral` for a CDATA section, which has none. */
  text(raw: string, isLiteral: boolean): void
}

/** The wanted attributes of a tag, by their names in lower case, as they are written. Of two with one name, the first counts. */
export interface Attributes {
  get(name: string): string | undefined
}

/** What the caller needs of tags. */
export interface WantedTags {
  /** The elements whose attributes are kept. */
  readonly elements: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
}

export type Syntax = 'html' | 'xml'

/**
 * Finds the tags and the text of a page or a feed (HTML Standard, section 13.2.5, without a tree). Reads each character a bounded
 * number of times, whatever the text: no nesting is kept, and what has no end reaches to the end of the text.
 */
export function scanMarkup(text: string, syntax: Syntax, wanted: WantedTags, handlers: MarkupHandlers): void {
  const isXml = syntax === 'xml'
  let at = 0
  let collectAt = COLLECT_CHARACTERS
  while (at < text.length) {
    if (at > collectAt) {
      collectAt = at + COLLECT_CHARACTERS
      collectWithin()
    }
    const tag = text.indexOf('<', at)
    if (tag !== at) handlers.text(text.slice(at, tag < 0 ? text.length : tag), false)
    if (tag < 0) return
    if (isXml && text.startsWith(CDATA_START, tag)) {
      const end = endOf(text, ']]>', tag + CDATA_START.length)
      const isClosed = text.startsWith(']]>', end - 3)
      handlers.text(text.slice(tag + CDATA_START.length, isClosed ? end - 3 : end), true)
      at = end
    } else if (text.startsWith('<!--', tag)) {
      at = endOf(text, '-->', tag + 4)
    } else if (isLetter(text.charCodeAt(tag + 1))) {
      at = startTag(tag + 1)
    } else if (text[tag + 1] === '/' && isLetter(text.charCodeAt(tag + 2))) {
      const nameEnd = endOfName(text, tag + 2)
      handlers.end(text.slice(tag + 2, nameEnd).toLowerCase())
      at = endOf(text, '>', nameEnd)
    } else if (/[!?/]/.test(text[tag + 1] ?? '')) {
      at = endOf(text, '>', tag + 2)
    } else {
      handlers.text('<', false)
      at = tag + 1
    }
  }

  /** @returns where the scan goes on */
  function startTag(nameStart: number): number {
    const nameEnd = endOfName(text, nameStart)
    const name = text.slice(nameStart, nameEnd).toLowerCase()
    const attributes = wanted.elements.has(name) ? new KeptAttributes(wanted.attributes) : null
    const { end, isEmpty } = readAttributes(text, nameEnd, attributes)
    // A tag without an end is none.
    if (end > text.length) return text.length
    handlers.start(name, attributes ?? NO_ATTRIBUTES)
    if (isXml) {
      if (isEmpty) handlers.end(name)
      return end
    }
    const endTag = RAW_END_TAGS.get(name)
    if (endTag === undefined) return end
    endTag.lastIndex = end
    const rawEnd = endTag.exec(text)?.index ?? text.length
    if (TEXT_ELEMENTS.has(name)) handlers.text(text.slice(end, rawEnd), false)
    return rawEnd
  }
}

/**
 * Reads the attributes of a tag.
 * @param into receives them; null when nobody needs them
 * @returns the index after the tag, beyond the text if it has no end
 */
function readAttributes(
  text: string,
  start: number,
  into: KeptAttributes | null,
): { end: number; isEmpty: boolean } {
  let at = start
  for (;;) {
    while (isSpace(text.charCodeAt(at)) || text[at] === '/') at++
    if (at >= text.length) return { end: text.length + 1, isEmpty: false }
    if (text[at] === '>') return { end: at + 1, isEmpty: text[at - 1] === '/' }
    const nameStart = at
    // A leading `=` is a part of the name.
    at = endOfAttributeName(text, at + 1)
    const nameEnd = at
    while (isSpace(text.charCodeAt(at))) at++
    if (text[at] !== '=') {
      into?.keep(text.slice(nameStart, nameEnd), '')
      continue
    }
    at++
    while (isSpace(text.charCodeAt(at))) at++
    const quote = text[at]
    let valueEnd: number
    if (quote === '"' || quote === "'") {
      valueEnd = text.indexOf(quote, ++at)
      if (valueEnd < 0) return { end: text.length + 1, isEmpty: false }
    } else valueEnd = endOfUnquoted(text, at)
    into?.keep(text.slice(nameStart, nameEnd), text.slice(at, valueEnd))
    at = valueEnd + (quote === '"' || quote === "'" ? 1 : 0)
  }
}

/** There are few, and a `Map` for each tag would take half of the time of the scan. */
class KeptAttributes implements Attributes {
  readonly #wanted: ReadonlySet<string>
  readonly #names: string[] = []
  readonly #values: string[] = []

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted
  }

  get(name: string): string | undefined {
    return this.#values[this.#names.indexOf(name)]
  }

  keep(writtenName: string, value: string): void {
    const name = writtenName.toLowerCase()
    if (!this.#wanted.has(name) || this.#names.includes(name)) return
    this.#names.push(name)
    this.#values.push(value)
  }
}

/** After the first `ending` from an index on, or the end of the text. */
function endOf(text: string, ending: string, from: number): number {
  const found = text.indexOf(ending, from)
  return found < 0 ? text.length : found + ending.length
}

function endOfName(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text.charCodeAt(at)) && text[at] !== '/' && text[at] !== '>') at++
  return at
}

function endOfAttributeName(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !'/>='.includes(text[at] ?? '')) at++
  return at
}

function endOfUnquoted(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text.charCodeAt(at)) && text[at] !== '>') at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

/** The objects of a tag of ten characters have some hundred bytes. */
const COLLECT_CHARACTERS = 1_000_000

const NO_ATTRIBUTES: Attributes = { get: () => undefined }
const CDATA_START = '<![CDATA['

/** Elements that contain no tags (HTML Standard, section 13.1.2), and the end of each. */
const RAW_END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'textarea', 'title', 'plaintext'].map(
    (name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')],
  ),
)
/** Those whose text people see. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['title'])
