import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import '../support/translations.ts'
import type { Translation } from '../../ui/src/language/translation.ts'

const LANGUAGE_DIR = join(import.meta.dir, '../../ui/src/language')

/** All lines of the interface in one language, by which tests find what a page shows in it. */
export type Copy = Translation

/** @param language such as `de`. Numbers in its sentences are written as in English. */
export async function copyIn(language: string): Promise<Copy> {
  if (language !== 'en') return await import(join(LANGUAGE_DIR, 'translations', `${language}.ts`))
  const directory = join(LANGUAGE_DIR, 'english')
  const modules = readdirSync(directory).map((name) => import(join(directory, name)))
  return Object.assign({}, ...(await Promise.all(modules)))
}
