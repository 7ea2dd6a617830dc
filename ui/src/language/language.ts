import { translations } from 'virtual:translations'
import { browserStorage } from '../session/browser-storage.ts'

/** The localStorage entry that holds the chosen language. */
export const LANGUAGE_STORAGE_NAME = 'holdall.language'

/** English, in which the interface is written, and each language that it is translated to. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(translations)]

/** The language of this page: the one chosen in this browser, else the first of the browser's own that there is. */
export const language = chosenLanguage() ?? navigator.languages.map(primaryTag).find(isKnown) ?? 'en'

let translation: Readonly<Record<string, unknown>> | undefined

/**
 * Resolves when the lines in this language have arrived, or can't: then the page is in English. They begin to load with this module,
 * which is part of a small file: the scripts that show them are larger, and arrive later.
 */
export const translationLoaded: Promise<void> = loadTranslation()

/** The lines in this language, by the names of their catalogues. None in English. */
export function loadedTranslation(): Readonly<Record<string, unknown>> | undefined {
  return translation
}

/** How dates and numbers are written: as in the browser's own variety of the language, such as `de-AT`. */
export const locale = navigator.languages.find((tag) => primaryTag(tag) === language) ?? language

/** The name of a language in itself: "Deutsch". */
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

async function loadTranslation(): Promise<void> {
  translation = await translations[language]?.().catch(() => undefined)
}

function chosenLanguage(): string | undefined {
  const stored = browserStorage.getItem(LANGUAGE_STORAGE_NAME)
  return stored !== null && isKnown(stored) ? stored : undefined
}

function isKnown(code: string): boolean {
  return LANGUAGES.includes(code)
}

/** `de` of `de-AT`. */
function primaryTag(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? tag
}
