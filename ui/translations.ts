import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Finds the translations of the interface, each of which is one file named by its language, and makes a chunk of each.
 *
 * @param names the catalogues that this document shows; by default all
 * @param inEnglish those of which it shows next to nothing, so that they stay in English
 */
export function translations(
  names: readonly string[] = filesIn(ENGLISH),
  inEnglish: readonly string[] = [],
): Plugin {
  return {
    name: 'translations',
    resolveId: (id) => (id === LIST || id.startsWith(PART) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${LIST}`) return listOf(filesIn(TRANSLATIONS))
      if (!id.startsWith(`\0${PART}`)) return null
      const file = join(TRANSLATIONS, `${id.slice(PART.length + 1)}.ts`)
      return `export { ${names.map(exportOf).join(', ')} } from ${JSON.stringify(file)}`
    },
    generateBundle(_options, bundle) {
      const shown = Object.values(bundle)
        .flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []))
        .filter((path) => path.startsWith(ENGLISH))
        .map((path) => basename(path, '.ts'))
      const missing = shown.filter((name) => ![...names, ...inEnglish].includes(name))
      if (missing.length > 0) this.error(`These catalogues would stay in English: ${missing.join(', ')}`)
    },
  }
}

const LIST = 'virtual:translations'
/** The catalogues of one translation that the document shows. */
const PART = 'virtual:translation/'
const TRANSLATIONS = join(import.meta.dirname, 'src/language/translations/')
const ENGLISH = join(import.meta.dirname, 'src/language/english/')

function listOf(languages: readonly string[]): string {
  const entries = languages.map((language) => `${language}: () => import('${PART}${language}')`)
  return `export const translations = { ${entries.join(', ')} }`
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory).map((name) => basename(name, '.ts'))
}

/** `share-page.ts` exports `sharePageCopy`. */
function exportOf(name: string): string {
  return `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Copy`
}
