import { recognisedIn } from './recognise-links.ts'

/** A plain text, or its markup if that has more links. */
export function textWithMoreLinks(plain: string, markup: string): string {
  if (plain.trim() === '') return markup
  if (
    markup.length > MAX_COMPARED_CHARACTERS ||
    plain.length > MAX_COMPARED_CHARACTERS ||
    !/https?:/i.test(markup)
  )
    return plain
  return countLinks(markup) > countLinks(plain) ? markup : plain
}

function countLinks(text: string): number {
  return recognisedIn(text).filter(({ kind }) => kind === 'link').length
}

/** Comparing two longer texts would freeze the page. */
const MAX_COMPARED_CHARACTERS = 300_000
