import { lastSegment, looksLikeFileName } from './file-name.ts'

/**
 * The end of a link whose file name contains spaces, as people type or copy it: `https://a.test/My File (1).pdf`. Only a link that
 * begins a line, a field or a quote and breaks off in the middle of a name can be one, and only if what follows ends as a file name.
 * Null for any other link.
 *
 * @param end where the link ends at a space
 */
export function endOfSpacedName(text: string, start: number, end: number, limit: number): number | null {
  if (text[end] !== ' ' || !isFirst(text, start)) return null
  const link = text.slice(start, end)
  const segment = lastSegment(link)
  if (link.indexOf('/', 'https://'.length) === -1 || segment === '' || looksLikeFileName(segment)) return null
  if (/[?#]/.test(link)) return null
  const rest = text.slice(end, Math.min(limit, end + MAX_NAME_CHARACTERS))
  const closer = text[start - 1] === '"' ? rest.indexOf('"') : -1
  const name = (closer === -1 ? rest : rest.slice(0, closer)).trimEnd()
  return isRestOfName(segment, name) ? end + name.length : null
}

/** Whether nothing but a bullet, a number or a quotation mark stands before a link in its line. */
function isFirst(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_BULLET_CHARACTERS), start)
  return /(?:^|\n|")[ \t]*(?:[-*•>]+[ \t]+|\d{1,4}[.)][ \t]+)?"?$/.test(
    before.length < MAX_BULLET_CHARACTERS ? `\n${before}` : before,
  )
}

/** What follows a link is a comment if it begins with a sign, or has the punctuation of a sentence. */
function isRestOfName(segment: string, rest: string): boolean {
  if (!/^ [\p{L}\p{N}(]/u.test(rest) || /[\t"<>|?*:]|[.,;!]\s/.test(rest)) return false
  if (rest.split(' ').length > MAX_WORDS) return false
  return looksLikeFileName(segment + rest)
}

/** More words are a sentence about the link. */
const MAX_WORDS = 8
const MAX_NAME_CHARACTERS = 250
const MAX_BULLET_CHARACTERS = 12
