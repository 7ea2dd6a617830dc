import { FoundLinks } from './found-links.ts'
import { attributeText, type FoundLink, MAX_LINKS, visibleText } from './link-list.ts'
import { type Attributes, scanMarkup, type WantedTags } from './markup.ts'

/** What a feed or a sitemap has, before its addresses are resolved. */
export interface XmlDocument {
  readonly type: 'feed' | 'sitemap'
  readonly title: string
  readonly links: readonly FoundLink[]
  /** The sitemaps that an index of sitemaps lists. */
  readonly sitemaps: readonly string[]
}

/**
 * Finds the links of a feed (RSS, RDF, Atom) with its enclosures, or of a sitemap with its images and videos. Null for any other text.
 */
export function xmlLinks(text: string): XmlDocument | null {
  const root = rootElement(text)
  if (root === null || !ROOTS.has(root)) return null
  const found = new FoundLinks('literal')
  const sitemaps: string[] = []
  let title: string | null = null
  /** The entry of the feed that is being read. */
  let item: { title: string; readonly found: FoundLinks } | null = null
  let textElement: string | null = null
  let parts: string[] = []
  let partCharacters = 0

  const add = (link: FoundLink) => {
    if (link.address !== '') (item?.found ?? found).add(link)
  }

  function start(name: string, raw: Attributes): void {
    const attribute = (key: string) => attributeText(raw.get(key) ?? '', 'xml').trim()
    if (ITEMS.has(name)) item = { title: '', found: new FoundLinks('literal') }
    if (TEXTS.has(name)) {
      textElement = name
      parts = []
      partCharacters = 0
    }
    const mediaType = attribute('type') === '' ? undefined : attribute('type')
    if (name === 'enclosure' || name === 'media:content')
      add({ address: attribute('url'), text: '', mediaType, hint: 'other' })
    else if (name === 'media:thumbnail' || name === 'itunes:image')
      add({ address: attribute('url') || attribute('href'), text: '', hint: 'image' })
    else if (name === 'link' && raw.get('href') !== undefined && item !== null)
      add({ address: attribute('href'), text: attribute('title'), mediaType, hint: 'page' })
  }

  function endText(name: string): void {
    textElement = null
    const value = visibleText(parts.join(''), 'literal')
    const address = parts.join('').trim()
    if (name === 'title') {
      if (item !== null) item.title ||= value
      else title ??= value
    } else if (name === 'link') {
      if (item !== null) add({ address, text: '', hint: 'page' })
    } else if (name !== 'loc') add({ address, text: '', hint: name === 'image:loc' ? 'image' : 'video' })
    else if (root === 'sitemapindex') {
      if (sitemaps.length < MAX_LINKS) sitemaps.push(address)
      add({ address, text: '', hint: 'data' })
    } else add({ address, text: '', hint: 'page' })
  }

  scanMarkup(text, 'xml', WANTED, {
    start,
    end(name) {
      if (name === textElement) endText(name)
      if (item === null || !ITEMS.has(name)) return
      for (const link of item.found.links) found.add({ ...link, text: link.text || item.title })
      item = null
    },
    text(raw, isLiteral) {
      if (textElement === null || partCharacters > MAX_CHARACTERS) return
      partCharacters += raw.length
      parts.push(isLiteral ? raw : attributeText(raw, 'xml'))
    },
  })
  return { type: FEEDS.has(root) ? 'feed' : 'sitemap', title: title ?? '', links: found.links, sitemaps }
}

/** The name of the first element of a text that begins like XML; null if there is none. */
function rootElement(text: string): string | null {
  let root: string | null = null
  const start = text.trimStart()
  if (!start.startsWith('<')) return null
  scanMarkup(start.slice(0, PROLOG_CHARACTERS), 'xml', NONE, {
    start: (name) => {
      root ??= name
    },
    end: () => {},
    text: () => {},
  })
  return root
}

const FEEDS: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf:rdf'])
const ROOTS: ReadonlySet<string> = new Set([...FEEDS, 'urlset', 'sitemapindex'])
const ITEMS: ReadonlySet<string> = new Set(['item', 'entry'])
const TEXTS: ReadonlySet<string> = new Set(['title', 'link', 'loc', 'image:loc', 'video:content_loc'])
const WANTED: WantedTags = {
  elements: new Set(['enclosure', 'link', 'media:content', 'media:thumbnail', 'itunes:image']),
  attributes: new Set(['url', 'href', 'title', 'type']),
}
const NONE: WantedTags = { elements: new Set(), attributes: new Set() }

/** A declaration, a style sheet and a long comment may come first. */
const PROLOG_CHARACTERS = 16_384
/** No address and no title is longer. */
const MAX_CHARACTERS = 20_000
