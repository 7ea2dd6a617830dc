import { browserStorage } from '../session/browser-storage.ts'
import { LANGUAGE_STORAGE_NAME } from './language.ts'

/** Remembers the language in this browser. The page is loaded again, so that it is whole in one language. */
export function chooseLanguage(code: string): void {
  browserStorage.setItem(LANGUAGE_STORAGE_NAME, code)
  location.reload()
}
