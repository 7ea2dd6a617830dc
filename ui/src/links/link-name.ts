import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { withoutEntities } from './entities.ts'
import type { LinkInText } from './find-links.ts'

/** The text of a Markdown, HTML, Slack or forum link, or the `download` attribute; null if there is none. */
export function labelBesideLink(text: string, link: LinkInText, isMarkup: boolean): string | null {
  return (
    markdownLabel(text, link) ??
    slackLabel(text, link) ??
    forumLabel(text, link) ??
    (isMarkup ? anchorLabel(text, link) : null)
  )
}

/** Whether a field of a table can be a name: it has letters, and is neither a link, a size, a type nor a date. */
export function isNameLike(text: string): boolean {
  if (
    !/\p{L}/u.test(text) ||
    /https?:\/\/|^www\./i.test(text) ||
    text.length > REQUEST_LIMITS.filenameCharacters
  )
    return false
  return !/^(?:[\d.,][\d.,\s]*(?:[kmgt]i?b|bytes?|b)|(?:application|audio|font|image|text|video)\/[\w.+-]+|\d{4}-\d\d-\d\dt[\d:.z+-]+|true|false|yes|no)$/i.test(
    text,
  )
}

/** A name in one line, as the service expects it; null if nothing is left. */
export function cleanName(text: string): string | null {
  const name = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, REQUEST_LIMITS.filenameCharacters)
  return name === '' ? null : name
}

/** The `name` of `[name](URL)` and `![name](URL)`. */
function markdownLabel(text: string, { start }: LinkInText): string | null {
  const before = text.slice(Math.max(0, start - WINDOW_CHARACTERS), start)
  const close = before.endsWith('](') ? before.length - 2 : before.endsWith('](<') ? before.length - 3 : -1
  if (close === -1) return null
  let depth = 0
  for (let index = close; index >= 0; index -= 1) {
    if (before[index] === ']') depth += 1
    if (before[index] === '[') depth -= 1
    if (depth === 0)
      return before
        .slice(index + 1, close)
        .replace(/^[`*_]+|[`*_]+$/g, '')
        .trim()
  }
  return null
}

/** The `name` of `<URL|name>`. */
function slackLabel(text: string, { start, end }: LinkInText): string | null {
  if (text[start - 1] !== '<' || text[end] !== '|') return null
  return /^\|([^<>|\n]+)>/.exec(text.slice(end, end + WINDOW_CHARACTERS))?.[1]?.trim() ?? null
}

/** The `name` of `[url=URL]name[/url]`. */
function forumLabel(text: string, { start, end }: LinkInText): string | null {
  if (!/\[url=["']?$/i.test(text.slice(Math.max(0, start - 6), start))) return null
  return /^["']?\]([^[\n]+)\[\/url\]/i.exec(text.slice(end, end + WINDOW_CHARACTERS))?.[1]?.trim() ?? null
}

/** The `download` attribute or the text of `<a href="URL">`. */
function anchorLabel(text: string, { start, end }: LinkInText): string | null {
  const before = text.slice(Math.max(0, start - WINDOW_CHARACTERS), start)
  const tagStart = before.slice(before.lastIndexOf('<'))
  if (!/^<a\s/i.test(tagStart) || !/href\s?=\s?["']?$/i.test(tagStart)) return null
  const after = text.slice(end, end + WINDOW_CHARACTERS)
  const tagEnd = after.indexOf('>')
  if (tagEnd === -1) return null
  const download = /\sdownload\s?=\s?["']([^"'<>]+)["']/i.exec(tagStart + after.slice(0, tagEnd))?.[1]
  if (download !== undefined) return withoutEntities(download).trim()
  const close = after.search(/<\/a/i)
  if (close < tagEnd) return null
  return withoutEntities(after.slice(tagEnd + 1, close).replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
}

/** How far around a link its name is looked for. A bound, so that hostile text takes time in proportion to its length. */
const WINDOW_CHARACTERS = 500
