import { formatIsoDate } from '../base/format.ts'
import type { Link, Recognised } from '../links/link.ts'

export type DraftLink = Extract<Recognised, { kind: 'link' }>

export function linksOf(items: readonly Recognised[]): DraftLink[] {
  return items.filter((item) => item.kind === 'link')
}

/**
 * Finds the links that repeat an earlier one. A link with another name than the earlier ones of its URL is not one, because
 * its file would be in the archive under both names.
 */
export function findDuplicates(links: readonly DraftLink[]): ReadonlySet<DraftLink> {
  const names = new Map<string, Set<string | null>>()
  const duplicates = new Set<DraftLink>()
  for (const link of links) {
    const known = names.get(link.url)
    if (known === undefined) names.set(link.url, new Set([link.filename]))
    else if (link.filename === null || known.has(link.filename)) duplicates.add(link)
    else known.add(link.filename)
  }
  return duplicates
}

export function withoutDuplicates(items: readonly Recognised[]): Recognised[] {
  const duplicates = findDuplicates(linksOf(items))
  return items.filter((item) => item.kind !== 'link' || !duplicates.has(item))
}

/** Makes links of those that were written without a scheme. */
export function withSchemes(items: readonly Recognised[]): Recognised[] {
  return items.map((item) =>
    item.kind === 'schemeless' ? { kind: 'link', url: item.url, filename: null } : item,
  )
}

/** Keeps the first links, and what is not a link. */
export function withFirstLinks(items: readonly Recognised[], count: number): Recognised[] {
  let links = 0
  return items.filter(({ kind }) => kind !== 'link' || ++links <= count)
}

export function withoutItem(items: readonly Recognised[], removed: Recognised): Recognised[] {
  return items.filter((item) => item !== removed)
}

/** Puts items in the place of one. */
export function withItems(
  items: readonly Recognised[],
  old: Recognised,
  added: readonly Recognised[],
): Recognised[] {
  return items.flatMap((item) => (item === old ? added : [item]))
}

export function withItem(items: readonly Recognised[], old: Recognised, changed: Recognised): Recognised[] {
  return items.map((item) => (item === old ? changed : item))
}

/** `example.org 2026-11-21`: the host of most links, and the local date. */
export function defaultName(links: readonly Link[], now: number): string {
  // Parsing each of thousands of URLs would block the page.
  const starts = new Map<string, number>()
  for (const { url } of links) count(starts, startOfUrl(url), 1)
  const counts = new Map<string, number>()
  for (const [start, links] of starts) count(counts, shortHostOf(start), links)
  let [host, most] = ['', 0]
  for (const [candidate, count] of counts) if (count > most) [host, most] = [candidate, count]
  return `${host.replace(/[^\p{L}\p{N}.-]+/gu, '-')} ${formatIsoDate(now)}`
}

/** The scheme and the authority of a URL. */
export function startOfUrl(url: string): string {
  return BEFORE_PATH.exec(url)?.[0] ?? url
}

/** The host without `www.` and its port. */
export function shortHostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '')
}

function count(counts: Map<string, number>, key: string, added: number): void {
  counts.set(key, (counts.get(key) ?? 0) + added)
}

/** The scheme and the authority of a URL, with slashes as browsers accept them. */
const BEFORE_PATH = /^https?:[/\\]*[^/\\?#]*/i
