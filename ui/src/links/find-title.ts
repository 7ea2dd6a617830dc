import { withoutEntities } from './entities.ts'

/**
 * What a text calls itself: the subject of an e-mail that begins it, or the title or the first heading of a web page; null if it
 * tells neither.
 */
export function titleIn(text: string): string | null {
  const start = text.slice(0, SAMPLE_CHARACTERS)
  return subjectOf(start) ?? pageTitle(start)
}

/** A subject without what mail programs put before it in replies and forwarded messages. */
export function plainSubject(subject: string): string | null {
  return oneLine(subject.replace(REPLY, ''))
}

/** A file name without its ending. */
export function titleOfFile(name: string): string | null {
  return oneLine(name.replace(/(?!^)\.[a-z\d]{1,8}$/i, ''))
}

function subjectOf(text: string): string | null {
  const subject = SUBJECT.exec(text)?.[1]
  return subject === undefined || /https?:\/\//i.test(subject) ? null : plainSubject(subject)
}

function pageTitle(text: string): string | null {
  for (const element of PAGE_TITLES) {
    const found = element.exec(text)?.[1]
    const title = found === undefined ? null : oneLine(withoutEntities(found.replace(/<[^<>]*>/g, '')))
    if (title !== null) return title
  }
  return null
}

function oneLine(text: string): string | null {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line === '' ? null : line
}

/** A line as mail programs show it above a message, in the languages of most of their users. It may be quoted or bold. */
const SUBJECT =
  /^[>*\s]*(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|ämne|emne|aihe)\*?[ \t]?:\*?[ \t]*(\S[^\n]{0,300})$/im
const REPLY = /^(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|rif|antw|odp)(?:\[\d+\])?:\s*)+/i
const PAGE_TITLES = [
  /<title[^<>]*>([^<]{1,500})/i,
  /<h1\b[^<>]*>(.{1,1000}?)<\/h1/is,
  /<h2\b[^<>]*>(.{1,1000}?)<\/h2/is,
]
/** The beginning of a page has its title. A bound, so that a long text is not searched to its end. */
const SAMPLE_CHARACTERS = 50_000
