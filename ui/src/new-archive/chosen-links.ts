import { globMatcher } from '../../../server/text/glob.ts'
import type { PageLink } from '../api/types.ts'
import type { FileKind } from '../base/file-kind.ts'
import type { DraftLink } from './draft-links.ts'

/** What is shown of the links of a page; null for all kinds. */
export interface PageLinkFilter {
  readonly kind: FileKind | null
  /** A part of the text, name or address, or a pattern with `*` or `?`. */
  readonly text: string
}

export function filterLinks(links: readonly PageLink[], { kind, text }: PageLinkFilter): readonly PageLink[] {
  const matches = globMatcher(patternOf(text.trim()))
  return links.filter(
    (link) => (kind === null || link.kind === kind) && [link.url, link.name, link.text].some(matches),
  )
}

/** The pattern for addresses that finds the same links as a text; null if it was found in names and texts, too, or is empty. */
export function matchOf(found: readonly PageLink[], text: string): string | null {
  if (text.trim() === '') return null
  const pattern = patternOf(text.trim())
  const matches = globMatcher(pattern)
  return found.every(({ url }) => matches(url)) ? pattern : null
}

function patternOf(text: string): string {
  return /[*?]/.test(text) ? text : `*${text}*`
}

/** The kinds of the links, the most frequent first. */
export function countKinds(links: readonly PageLink[]): readonly (readonly [FileKind, number])[] {
  const counts = new Map<FileKind, number>()
  for (const { kind } of links) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)
}

/**
 * The links as files of a draft, each under the text of its link. A text that several of them have, such as "Download", says nothing:
 * then the address decides. Files of a directory listing keep their names and folders.
 */
export function asFiles(links: readonly PageLink[], isListing: boolean): DraftLink[] {
  const texts = new Map<string, number>()
  for (const { text } of links) texts.set(text, (texts.get(text) ?? 0) + 1)
  return links.map((link) => {
    const isTelling = link.text !== '' && texts.get(link.text) === 1 && link.kind !== 'page'
    const filename = isListing ? link.name : isTelling ? withExtension(link) : null
    return { kind: 'link', url: link.url, filename }
  })
}

/** A text as a file name, with the extension of another name. A slash in it makes no folder. */
export function withExtension({ text, name }: Pick<PageLink, 'text' | 'name'>): string {
  const file = text.replace(/[/\\]+/g, '-').replace(/^\.+/, '')
  const extension = /\.[a-z\d]{1,10}$/i.exec(name)?.[0] ?? ''
  return file.toLowerCase().endsWith(extension.toLowerCase()) ? file : file + extension
}

/** Whether a link may lead to a page with links. */
export function mayBePage(url: string): boolean {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const last = path.slice(path.lastIndexOf('/') + 1)
  return !last.includes('.') || /\.(?:x?html?|php\d?|aspx?|jsp|cgi|xml|rss|atom)$/i.test(last)
}
