import { decodeHTML, decodeHTMLAttribute, decodeXML } from 'entities'
import { likelyEntryName } from '../../archive/names/entry-name.ts'
import { splitExtension } from '../../archive/names/file-extension.ts'
import { knownFileKind } from '../../archive/names/file-kind.ts'
import { extensionOfMediaType } from '../../archive/names/media-type.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { copyOf } from '../../text/copy-of.ts'
import type { FileKind } from '../../vocabulary.ts'

/** A link of a page. */
export interface PageLink {
  readonly url: string
  /** The name that its entry is expected to get. */
  readonly name: string
  /** What the page calls it; empty if it says nothing. */
  readonly text: string
  readonly kind: FileKind
}

/** A link as a page has it. */
export interface FoundLink {
  /** Perhaps relative. */
  readonly address: string
  /** As it is written. */
  readonly text: string
  /** What the element makes of it, where neither its media type nor its name tells. */
  readonly hint: FileKind
  readonly mediaType?: string | undefined
  /** The name that the page wants it to be saved under. */
  readonly filename?: string | undefined
}

/** Which links of a page are told. */
export interface LinkFilter {
  /** Null takes all kinds. */
  readonly kind: FileKind | null
  /** A pattern for URLs, with `*` and `?`; null takes all. */
  readonly match: string | null
}

/** Where the links of a page are, and which of them count. */
export interface LinkPlace {
  /** The address of the page, after redirects. */
  readonly pageUrl: string
  /** What relative addresses are relative to. */
  readonly baseUrl: string
  /** That of the texts. */
  readonly syntax: TextSyntax
  /** Those that it refuses count in no limit of the list, so that a few among many are found. */
  readonly isWanted?: ((link: PageLink) => boolean) | undefined
}

/** The links of a page: those that Holdall can fetch, each once. */
export interface LinkList {
  /** The first ones, as many as {@link MAX_LINKS} and `MAX_LISTED_CHARACTERS` allow, in the order of the page. */
  readonly links: readonly PageLink[]
  readonly total: number
}

/** How many links of one page are told. The count of all is told, too. */
export const MAX_LINKS = 10_000
/** As long as a page may be: relative links to a long address would take a thousand times as much as the page. */
export const MAX_LISTED_CHARACTERS = 10_000_000
/** Characters of addresses that are resolved, with those that they are relative to: some tenths of a second. */
const MAX_RESOLVED_CHARACTERS = 32_000_000

/**
 * Resolves the links of a page, and drops those to a place in the page itself. Of those that lead to the same address, the first one
 * counts, with the first text that any of them has. Once enough are told or resolved, the others are counted as they are written.
 */
export function listLinks(
  found: readonly FoundLink[],
  { pageUrl, baseUrl, syntax, isWanted }: LinkPlace,
): LinkList {
  const ownUrl = withoutFragment(pageUrl)
  /** The place of each address in the list. */
  const places = new Map<string, number>()
  /** The same for what is written; -1 for what is dropped, or only counted. */
  const written = new Map<string, number>()
  const links: PageLink[] = []
  let listedCharacters = 0
  let resolvedCharacters = 0
  let counted = 0

  /** The place of a link, which it may get by this. -1 if it is dropped. */
  function placeOf(link: FoundLink): number {
    resolvedCharacters += link.address.length + baseUrl.length
    const url = URL.parse(link.address, baseUrl)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return -1
    const { href } = url
    const address = withoutFragment(href)
    if (address.length > REQUEST_LIMITS.urlCharacters) return -1
    if (address === ownUrl && address !== href) return -1
    const known = places.get(address)
    if (known !== undefined) return known
    const listed = pageLink(link, url, address, syntax)
    if (isWanted?.(listed) === false) {
      places.set(address, -1)
      return -1
    }
    listedCharacters += address.length
    places.set(address, links.length)
    links.push(listed)
    return links.length - 1
  }

  for (const link of found) {
    const isFull =
      links.length >= MAX_LINKS ||
      listedCharacters >= MAX_LISTED_CHARACTERS ||
      resolvedCharacters >= MAX_RESOLVED_CHARACTERS
    const key = isFull ? withoutFragment(link.address) : link.address
    let place = written.get(key)
    if (place === undefined) {
      place = isFull ? -1 : placeOf(link)
      written.set(key, place)
      if (place >= 0) written.set(withoutFragment(key), place)
      if (isFull && key !== '' && !OTHER_SCHEME.test(key)) counted++
    }
    const known = links[place]
    if (known?.text === '' && link.text !== '')
      links[place] = { ...known, text: copyOf(visibleText(link.text, syntax)) }
  }
  return { links, total: links.length + counted }
}

function pageLink(
  { text, hint, mediaType, filename }: FoundLink,
  url: URL,
  address: string,
  syntax: TextSyntax,
): PageLink {
  const name = likelyEntryName(
    { url, filename: filename === undefined || filename === '' ? null : filename },
    null,
  )
  // Slices would keep the whole page in memory, and with the folders of a listing a hundred pages.
  return {
    url: address,
    name: copyOf(name),
    text: copyOf(visibleText(text, syntax)),
    kind: kindOf(filename ?? '', url.pathname, mediaType, hint),
  }
}

function kindOf(filename: string, pathname: string, mediaType: string | undefined, hint: FileKind): FileKind {
  const ofType = mediaType === undefined ? null : kindOfType(mediaType)
  if (ofType !== null) return ofType
  const file = filename === '' ? pathname.slice(pathname.lastIndexOf('/') + 1) : filename
  const { extension } = splitExtension(file)
  const known = extension === '' ? null : knownFileKind(extension)
  if (known !== null) return known
  // A link says nothing of what it leads to. Without an extension, that most often is a page.
  return hint === 'page' && extension !== '' && !PROGRAMS.test(extension) ? 'other' : hint
}

function kindOfType(mediaType: string): FileKind | null {
  const known = knownFileKind(extensionOfMediaType(mediaType))
  if (known !== null) return known
  const [top = ''] = mediaType.trim().toLowerCase().split('/', 1)
  return top === 'image' || top === 'audio' || top === 'video' ? top : null
}

/** The fragment leads to a place in the document, and is not sent. */
function withoutFragment(href: string): string {
  const hash = href.indexOf('#')
  return hash < 0 ? href : href.slice(0, hash)
}

/** Of a literal text, the character references are decoded. */
export type TextSyntax = 'html' | 'literal'

/** What people see of a text of a page: its character references decoded, and each run of spaces as one. */
export function visibleText(raw: string, syntax: TextSyntax): string {
  // As many characters as can become those that are shown: a reference of several becomes one.
  const decoded = decodedText(
    raw.length > MAX_RAW_CHARACTERS ? raw.slice(0, MAX_RAW_CHARACTERS) : raw,
    syntax,
  )
  const text = decoded.replace(/\s+/g, ' ').trim()
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()}…` : text
}

function decodedText(raw: string, syntax: TextSyntax): string {
  if (syntax === 'literal' || !raw.includes('&')) return raw
  return decodeHTML(raw)
}

/** The value of an attribute (HTML Standard, section 13.2.5.73: `&copy=1` is no reference). */
export function attributeText(raw: string, syntax: 'html' | 'xml'): string {
  if (!raw.includes('&')) return raw
  // Most addresses have no other reference, and decoding takes a fifth of the time of a long page.
  if (!OTHER_REFERENCE.test(raw)) return raw.replaceAll('&amp;', '&')
  return syntax === 'html' ? decodeHTMLAttribute(raw) : decodeXML(raw)
}

/** An address that Holdall does not fetch. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i

/** Ends of addresses that answer with pages. */
const PROGRAMS = /^\.(?:aspx?|ashx|cfm|cgi|do|jspx?|php\d?|phtml|shtml?|xhtml?|action|pl)$/i

const OTHER_REFERENCE = /&(?!amp;)/

/** The longest name of a file has 255 bytes. */
const MAX_TEXT_CHARACTERS = 200
const MAX_RAW_CHARACTERS = 4_000
