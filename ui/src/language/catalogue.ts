// ui/decisions/languages.md says why copy is TypeScript, and how it is translated.

import { language, loadedTranslation } from './language.ts'

/** The scripts of both documents import what shows copy when the translation has arrived. */
const translation = loadedTranslation()

/** The language that the copy is in. */
export const copyLanguage = translation === undefined ? 'en' : language

/**
 * The copy of one feature, in the language of the page.
 *
 * @param name what the English lines are exported as; the translations export theirs by the same name
 */
export function catalogue<Lines>(name: string, english: Lines): Lines {
  // The type of a translation says that it has the lines of each catalogue.
  return (translation?.[name] as Lines | undefined) ?? english
}
