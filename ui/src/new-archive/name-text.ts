import { REQUEST_LIMITS } from '../../../server/request-limits.ts'

/** A title as the name of a file. */
export function asArchiveName(title: string): string {
  const name = title
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, '')
    .replace(/\s*[/\\:|]+\s*/g, ' - ')
    .replace(/[<>"?*]+/g, '')
    .replace(/^[\s-]+|[\s-]+$/g, '')
  return [...name].slice(0, PROPOSED_CHARACTERS).join('').trim()
}

/** `name`, or `name (2)` if an earlier archive is called `name`, perhaps as the first of several parts. */
export function numbered(name: string, earlier: readonly string[]): string {
  const base = name.replace(/ \(\d{1,6}\)$/, '')
  const numbers = earlier.flatMap((other) => {
    const found = other.startsWith(base) ? REPEATED.exec(other.slice(base.length)) : null
    return found === null ? [] : [Number(found[1] ?? 1)]
  })
  return numbers.length === 0 ? name : `${base} (${Math.max(...numbers) + 1})`
}

/** What follows the name: its number, and of several archives which one it is. */
const REPEATED = /^(?: \((\d{1,6})\))?(?: \(\d+ of \d+\))?$/
/** A title may be as long as a sentence. */
const PROPOSED_CHARACTERS = Math.min(100, REQUEST_LIMITS.zipFilenameCharacters)
