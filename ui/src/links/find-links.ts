import { type Extent, linkExtent } from './link-extent.ts'

/** A link in a text, by the positions of its first character and after its last one. */
export interface FoundLink extends Extent {
  readonly start: number
}

/**
 * Finds links in stretches of a text. The stretches must follow each other, so that the whole text is searched once,
 * however many stretches contain no link.
 *
 * @param isMarkup the text contains tags, so that `&amp;` stands for `&`
 */
export function createLinkFinder(text: string, isMarkup: boolean) {
  const scheme = new RegExp(SCHEME, 'gi')
  let next = scheme.exec(text)

  /** The links that begin between two positions, in their order. */
  return function findLinks(from: number, to: number): FoundLink[] {
    const links: FoundLink[] = []
    let searched = from
    for (; next !== null && next.index < to; next = scheme.exec(text)) {
      const start = next.index
      if (start < searched || isIdentifier(text, start)) continue
      const extent = linkExtent(text, start, start + next[0].length, to, isMarkup)
      searched = extent.end
      const previous = links.at(-1)
      if (previous === undefined || !isItsLabel(text, previous, { start, ...extent }, isMarkup))
        links.push({ start, ...extent })
    }
    return links
  }
}

/** The links of a text without tags. */
export function findLinks(text: string): FoundLink[] {
  return createLinkFinder(text, false)(0, text.length)
}

/** Also as JSON may write it: `https:\/\/`. */
const SCHEME = String.raw`https?:(?:\/\/|\\\/\\\/)`

/**
 * Whether a URL only names something: an XML namespace, a document type or a vocabulary. The address of a bookmark's icon
 * belongs to the bookmark, too.
 */
function isIdentifier(text: string, start: number): boolean {
  if (!/["'=]/.test(text[start - 1] ?? '')) return false
  const before = text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start)
  const attribute = /(?:^|[\s<?])([\w:.-]{1,40})\s?=\s?["']?$/.exec(before)?.[1] ?? ''
  return IDENTIFIERS.test(attribute) || /^<!doctype\s/i.test(before.slice(before.lastIndexOf('<')))
}

/** Whether a link repeats the one before it as its label: `[URL](URL)`, `URL<URL>`, `<a href="URL">URL</a>`. */
function isItsLabel(text: string, first: FoundLink, second: FoundLink, isMarkup: boolean): boolean {
  if (withoutSlash(first.url) !== withoutSlash(second.url)) return false
  if (second.start - first.end > CONTEXT_CHARACTERS) return false
  const between = text.slice(first.end, second.start)
  if (/^(?:\]\(<?| ?<|\|)$/.test(between)) return true
  return isMarkup && /^["']?[^<>]*>(?:\s?<[^<>]*>)*\s?$/.test(between)
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

const IDENTIFIERS = /^(?:xmlns(?::.*)?|xsi:.*|icon_uri|itemtype|vocab|profile)$/i
/** How far around a link its context is read. A bound, so that hostile text takes time in proportion to its length. */
const CONTEXT_CHARACTERS = 200
