import { releaseMemory } from '../../bytes.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { copyOf } from '../../text/copy-of.ts'
import { globMatcher } from '../../text/glob.ts'
import { decodePage } from './decode-page.ts'
import { htmlLinks } from './html-links.ts'
import {
  type FoundLink,
  type LinkFilter,
  type LinkList,
  listLinks,
  MAX_LISTED_CHARACTERS,
  type PageLink,
} from './link-list.ts'
import { xmlLinks } from './xml-links.ts'

/** A page as it was received. */
export interface ReceivedPage {
  /** Its address after redirects. */
  readonly url: string
  readonly contentType: string | null
  /** `readPage` frees their memory. */
  readonly bytes: Uint8Array
}

export type PageType = 'page' | 'feed' | 'sitemap' | 'listing'

/** A page with its links. */
export interface ReadPage extends LinkList {
  readonly url: string
  readonly type: PageType
  readonly title: string
  readonly needsScript: boolean
  /** The folders of a listing, and the sitemaps of an index, which can be read, too. */
  readonly folders: readonly string[]
}

/**
 * Finds the links of a page: of HTML, a feed, a sitemap, or a listing of a directory. Null for a file that is none of these.
 * @param isWanted tells of a link whether it is wanted; all are without it
 */
export function readPage(
  { url, contentType, bytes }: ReceivedPage,
  isWanted?: (link: PageLink) => boolean,
): ReadPage | null {
  if (!mayBePage(contentType)) return null
  const text = decodePage(bytes, contentType)
  releaseMemory(bytes)
  const document = xmlLinks(text)
  if (document !== null) {
    const { type, title, links, sitemaps } = document
    return {
      url,
      type,
      title: copyOf(title),
      needsScript: false,
      folders: absolute(sitemaps, url),
      ...listLinks(links, { pageUrl: url, baseUrl: url, syntax: 'literal', isWanted }),
    }
  }
  if (!isHtml(contentType, text)) return null
  const page = htmlLinks(text)
  const base = baseOf(page.base, url)
  const { needsScript } = page
  const title = copyOf(page.title)
  const place = { pageUrl: url, baseUrl: base, syntax: 'html' } as const
  if (!LISTING.test(title)) {
    return {
      url,
      type: 'page',
      title,
      needsScript,
      folders: [],
      ...listLinks(page.links, { ...place, isWanted }),
    }
  }
  const listing = listLinks(page.links.filter(isListed), {
    ...place,
    isWanted: (link) => isBelow(link.url, url) && isWanted?.(withWholeName(link)) !== false,
  })
  const links = listing.links.map(withWholeName)
  const folders = links.filter((link) => link.url.endsWith('/')).map((link) => link.url)
  return { url, type: 'listing', title, needsScript, folders, links, total: listing.total }
}

/** Tells whether a filter lets a link through. */
export function linkTest({ kind, match }: LinkFilter): (link: PageLink) => boolean {
  const matches = match === null ? null : globMatcher(match)
  return (link) => (kind === null || link.kind === kind) && matches?.(link.url) !== false
}

function mayBePage(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || GENERIC.has(type) || /^text\/html$|[/+](?:xml|xhtml)$/.test(type)
}

function isHtml(contentType: string | null, text: string): boolean {
  return (
    /html/i.test(contentType ?? '') || /^\s*<(?:!doctype\s+html|html|head|title|body|meta|!--)/i.test(text)
  )
}

/** Apache's links that sort a listing have a query alone. */
function isListed({ address }: FoundLink): boolean {
  return !address.startsWith('?')
}

/** Whether it is in this directory. The link to the parent directory is not. */
function isBelow(address: string, directory: string): boolean {
  const path = directory.slice(0, directory.search(/[?#]|$/))
  const start = path.slice(0, path.lastIndexOf('/') + 1)
  const rest = address.startsWith(start) ? address.slice(start.length) : ''
  return rest !== '' && !/[?#]/.test(rest) && !rest.slice(0, -1).includes('/')
}

/** Servers cut long names in listings. */
function withWholeName(link: PageLink): PageLink {
  const isFolder = link.url.endsWith('/')
  return {
    ...link,
    text: isFolder ? `${link.name}/` : link.name,
    kind: isFolder ? 'page' : link.kind === 'page' && !PAGE.test(link.name) ? 'other' : link.kind,
  }
}

function absolute(addresses: readonly string[], base: string): string[] {
  let characters = 0
  return addresses.flatMap((address) => {
    if (characters > MAX_LISTED_CHARACTERS) return []
    const { href } = URL.parse(address, base) ?? {}
    characters += href?.length ?? 0
    return href ?? []
  })
}

/** What the links of a page are relative to. One that is too long for a URL is ignored: so is every link that is relative to it. */
function baseOf(written: string | null, pageUrl: string): string {
  if (written === null || written.length > REQUEST_LIMITS.urlCharacters) return pageUrl
  return URL.parse(written, pageUrl)?.href ?? pageUrl
}

/** Types that servers send when they don't know better. */
const GENERIC: ReadonlySet<string> = new Set(['text/plain', 'application/octet-stream'])
/** The title that nginx and Apache give to the listing of a directory. */
const LISTING = /^Index of \//i
const PAGE = /\.(?:x?html?|php|aspx?)$/i
