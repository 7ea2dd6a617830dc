import { looksLikeFileName } from './file-name.ts'
import { findLinks } from './find-links.ts'
import type { Recognised } from './link.ts'
import { cleanName } from './link-name.ts'

/** Whether a text begins as JSON does. `[a](https://a.test)` does not. */
export function beginsAsJson(text: string): boolean {
  return /^[\s\uFEFF]*[[{][\s[{]*(?:"|\]|\})/.test(text.slice(0, START_CHARACTERS))
}

/**
 * Reads the links of JSON in their order, also of one value per line and of JSON that is cut off. A link gets the name that
 * stands in its object: `{"url": ..., "name": ...}`, `{"report.pdf": URL}` or `{URL: "report.pdf"}`. Yields once per object
 * that is complete, with the number of characters read.
 */
export function* readJson(text: string): Generator<{ readonly items: Recognised[]; readonly read: number }> {
  const open: JsonObject[] = []
  let current = emptyObject(false)
  let objectDepth = 0
  let last: string | null = null
  let ready: JsonLink[] = []
  const flush = (read: number) => {
    const items = ready.map(({ url, filename }): Recognised => ({ kind: 'link', url, filename }))
    ready = []
    return { items, read }
  }
  for (const { part, index } of tokensOf(text)) {
    if (part === '{' || part === '[') {
      open.push(current)
      current = emptyObject(part === '{')
      if (current.isObject) objectDepth += 1
    } else if (part === '}' || part === ']') {
      nameLinks(current)
      if (current.isObject) objectDepth -= 1
      current = open.pop() ?? emptyObject(false)
      current.key = null
      // Outside of objects, all links have the names that they will get.
      if (objectDepth === 0 && ready.length > 0) yield flush(index)
    } else if (part === ':') {
      current.key = last
    } else if (part === ',') {
      current.key = null
    } else {
      last = stringOf(part)
      ready.push(...readString(last, current))
    }
  }
  nameLinks(current)
  for (const unclosed of open) nameLinks(unclosed)
  yield flush(text.length)
}

function* tokensOf(text: string): Generator<{ readonly part: string; readonly index: number }> {
  const tokens = new RegExp(TOKENS, 'g')
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const { index } = token
    if (token[0] === '"') tokens.lastIndex = endOfString(text, index + 1)
    yield { part: text.slice(index, tokens.lastIndex), index }
  }
}

/** The end of a string, also of one that is not closed. A regular expression would take memory per character. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n') {
    if (text[at] === '"') return at + 1
    at += text[at] === '\\' && text[at + 1] !== '\n' ? 2 : 1
  }
  return Math.min(at, text.length)
}

function emptyObject(isObject: boolean): JsonObject {
  return { links: [], name: null, key: null, isObject }
}

interface JsonLink {
  readonly url: string
  readonly key: string | null
  filename: string | null
}

interface JsonObject {
  readonly links: JsonLink[]
  name: string | null
  key: string | null
  readonly isObject: boolean
}

function readString(text: string, object: JsonObject): JsonLink[] {
  const links = findLinks(text).map(({ url }): JsonLink => ({ url, key: object.key, filename: null }))
  const key = object.isObject ? object.key : null
  if (links.length === 0 && key !== null && NAME_KEYS.test(key)) object.name ??= cleanName(text)
  if (links.length === 0 && key !== null && TITLE_KEYS.test(key) && looksLikeFileName(text))
    object.name ??= cleanName(text)
  const [only] = links
  if (only !== undefined && links.length === 1 && key !== null && looksLikeFileName(key))
    only.filename = cleanName(key)
  // `{URL: "report.pdf"}`
  const keyLink = object.links.at(-1)
  if (links.length === 0 && keyLink?.url === key && looksLikeFileName(text))
    keyLink.filename = cleanName(text)
  object.links.push(...links)
  return links
}

/** Gives the name of an object to its link, or to the one of several that is the file's. */
function nameLinks({ links, name }: JsonObject): void {
  if (name === null) return
  const target = links.length === 1 ? links[0] : links.find(({ key }) => key !== null && URL_KEYS.test(key))
  if (target !== undefined) target.filename ??= name
}

function stringOf(token: string): string {
  if (!token.startsWith('"')) return token
  try {
    return String(JSON.parse(token))
  } catch {
    return token.slice(1)
  }
}

/** The beginning of a string; the signs between strings; and anything else, which may contain a link, too. */
const TOKENS = /"|[^\s"{}[\],:]+(?::\/\/[^\s"]*)?|[{}[\],:]/
const NAME_KEYS = /^(?:file_?name|file|name|save_?as|output|path)$/i
const TITLE_KEYS = /^(?:title|label|text)$/i
const URL_KEYS = /^(?:url|href|link|src|source|download_?url|file_?url)$/i
/** Enough to see how a text begins. */
const START_CHARACTERS = 1_000
