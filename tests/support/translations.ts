/**
 * The modules of the interface run in tests as in a browser that prefers English. The build makes the list of translations; here
 * it is made of the same files.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { plugin } from 'bun'

const DIRECTORY = join(import.meta.dir, '../../ui/src/language/translations')

plugin({
  name: 'translations',
  setup(build) {
    build.module('virtual:translations', () => ({ loader: 'object', exports: { translations } }))
  },
})

const translations = Object.fromEntries(
  readdirSync(DIRECTORY).map((name) => [basename(name, '.ts'), () => import(join(DIRECTORY, name))]),
)

// Browsers define navigator.languages, Bun does not.
Object.defineProperty(navigator, 'languages', { value: ['en-US'], configurable: true })
