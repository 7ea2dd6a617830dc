import { type Extent, linkExtent } from './link-extent.ts'

/** A link in a text, by the indexes of its first character and after its last one. */
export interface LinkInText extends Extent {
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

  /** The links that begin between two indexes, in their order. */
  return function findLinks(from: number, to: number): LinkInText[] {
    const links: LinkInText[] = []
    let searched = from
    for (; next !== null && next.index < to; next = scheme.exec(text)) {
      const start = next.index
      if (start < searched) continue
      const extent = linkExtent(text, start, start + next[0].length, to, isMarkup)
      searched = extent.end
      if (isIdentifier(text, start)) continue
      const link = { start, ...extent }
      const previous = links.at(-1)
      const label = previous === undefined ? null : labelOf(text, previous, link, isMarkup)
      if (label === previous) links.pop()
      if (label !== link) links.push(link)
    }
    return links
  }
}

/** The links of a text without tags. */
export function findLinks(text: string): LinkInText[] {
  return createLinkFinder(text, false)(0, text.length)
}

/** Also as JSON may write it: `https:\/\/`. */
const SCHEME = String.raw`https?:(?:\/\/|\\\/\\\/)`

/**
 * Whether a URL only names something: an XML namespace, a document type or a vocabulary. The address of a bookmark's icon
 * belongs to the bookmark, and the copies of a link that e-mail programs keep beside it belong to the link.
 */
function isIdentifier(text: string, start: number): boolean {
  if (!/["'=]/.test(text[start - 1] ?? '')) return false
  const before = text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start)
  const attribute = /(?:^|[\s<?])([\w:.-]{1,40})\s?=\s?["']?$/.exec(before)?.[1] ?? ''
  return IDENTIFIERS.test(attribute) || /^<!doctype\s/i.test(before.slice(before.lastIndexOf('<')))
}

/** Which of two links only repeats the other one as its label, as in `[URL](URL)` and `<a href="URL">URL</a>`; null if none. */
function labelOf(text: string, first: LinkInText, second: LinkInText, isMarkup: boolean): LinkInText | null {
  if (second.start - first.end > LABEL_CHARACTERS) return null
  const between = text.slice(first.end, second.start)
  // `[URL](URL)`, and `URL <URL>` of e-mails.
  const isLabelFirst = /^(?:(?:…|\.{3})[^\s\]<]*)?(?:\]\(<?| ?<)$/.test(between)
  if (isLabelFirst) return isRepeated(text, second, first) ? first : null
  const isLabelled =
    /^(?:\||["']?\])$/.test(between) || (isMarkup && /^["']?[^<>]*>(?:\s?<[^<>]*>)*\s?$/.test(between))
  return isLabelled && isRepeated(text, first, second) ? second : null
}

/** Whether a label is its link: the same one, perhaps encoded otherwise, or shortened as in `https://a.test/long…`. */
function isRepeated(text: string, link: LinkInText, label: LinkInText): boolean {
  const [whole, shown] = [readable(link.url), readable(label.url)]
  if (whole === shown) return true
  if (!/^(?:…|\.{3}|&hellip;)/.test(text.slice(label.end, label.end + 8))) return false
  return whole.startsWith(shown)
}

/** The same text for all ways to write a URL: without encoding, and without the slash at its end. */
function readable(url: string): string {
  const { href } = URL.parse(url) ?? { href: url }
  return decoded(href.replace(/\/$/, ''))
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

const IDENTIFIERS =
  /^(?:xmlns(?::.*)?|xsi:.*|icon_uri|itemtype|vocab|profile|data-saferedirecturl|originalsrc)$/i
/** How far around a link its context is read. A bound, so that hostile text takes time in proportion to its length. */
const CONTEXT_CHARACTERS = 200
/** Between a link and its label may stand the attributes that e-mail programs give to each link. */
const LABEL_CHARACTERS = 1_000
