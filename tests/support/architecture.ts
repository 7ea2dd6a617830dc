import { posix } from 'node:path'

/** A source file by its path from the top of the repository. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * The parts of the server from top to bottom: a part imports itself and what stands below it, and nothing beside
 * it. A part is a folder of `server/` or a file directly in it.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['main'],
  ['cli'],
  ['app'],
  ['http', 'scheduling'],
  ['keys', 'downloads'],
  ['jobs'],
  ['config'],
  ['setting-values'],
  ['accounts'],
  ['engine'],
  ['archive', 'fetching'],
  ['monitoring'],
  ['db'],
  ['files', 'shutdown'],
  ['errors', 'time', 'logging', 'version', 'vocabulary', 'format-bytes'],
]

/** The same of the interface: what lies in `ui/src/`. */
export const UI_LAYERS: readonly (readonly string[])[] = [
  ['main'],
  ['app'],
  ['shell', 'archive-page', 'account', 'keys', 'sign-in'],
  ['new-archive'],
  ['archive-list'],
  ['api'],
  ['base', 'session', 'styles'],
]

/** What runs a job knows no database: parts, and packages, that they never import though they stand below. */
const KNOW_NO_DATABASE = ['engine', 'archive', 'fetching']

/** What the UI may import of the server: types of the API's schemas, and the rules of entry names for its preview. */
const UI_TYPES = /^server\/http\/[a-z-]+-schemas?\.ts$/
const UI_CODE = 'server/archive/entry-name.ts'

/** Every breach of "Imports point one way" (ARCHITECTURE.md), as a line that names the file and what it may not. */
export function importViolations(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const pure = reachableFrom(UI_CODE, byPath)
  const violations: string[] = []
  for (const file of files) {
    for (const imported of importsOf(file)) {
      const reason = file.path.startsWith('ui/')
        ? uiViolation(file.path, imported, pure)
        : file.path.startsWith('server/build/')
          ? null
          : serverViolation(file.path, imported)
      if (reason !== null) violations.push(`${file.path} imports ${imported.target}: ${reason}`)
    }
  }
  for (const path of pure) {
    const outside = importsOf(byPath.get(path) ?? { path, text: '' }).find(({ isLocal }) => !isLocal)
    if (outside !== undefined)
      violations.push(`${path} imports ${outside.target}: the UI takes it in, it must be pure`)
  }
  return violations
}

/** Every comment that keeps a checker from speaking: what it would say is to be mended. */
export function suppressions(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (SUPPRESSION.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )
}

const SUPPRESSION = /(?:\/\/|\/\*+|^\s*\*)\s*(?:@ts-(?:ignore|expect-error|nocheck)|biome-ignore)/

interface Import {
  /** A path from the top of the repository, or the name of a package. */
  readonly target: string
  readonly isLocal: boolean
  readonly isType: boolean
}

function serverViolation(path: string, { target, isLocal }: Import): string | null {
  const part = partOf(path)
  if (!isLocal) return packageViolation(path, part, target)
  if (target.startsWith('ui/') || target.startsWith('tests/'))
    return 'the server imports neither UI nor tests'
  if (!target.startsWith('server/')) return null
  if (KNOW_NO_DATABASE.includes(part) && partOf(target) === 'db') return `${part} knows no database`
  return layerViolation(LAYERS, part, partOf(target))
}

function layerViolation(
  layers: readonly (readonly string[])[],
  part: string,
  imported: string,
): string | null {
  const layerOf = (name: string) => layers.findIndex((layer) => layer.includes(name))
  const [from, to] = [layerOf(part), layerOf(imported)]
  if (from < 0) return `${part} has no place in LAYERS`
  if (part === imported || from < to) return null
  return `imports point one way, and ${imported} does not stand below ${part}`
}

function packageViolation(path: string, part: string, name: string): string | null {
  const isStore = path.endsWith('-store.ts') || part === 'db'
  if (name.startsWith('drizzle-orm') && !isStore) return 'only *-store.ts and db/ speak to Drizzle'
  if (name === 'bun:sqlite' && part !== 'db') return 'only db/ opens the database'
  if (/^(elysia|@elysiajs\/)/.test(name) && part !== 'http') return 'only http/ knows Elysia'
  return null
}

function uiViolation(
  path: string,
  { target, isLocal, isType }: Import,
  pure: ReadonlySet<string>,
): string | null {
  if (isLocal && path.startsWith(UI_ROOT) && target.startsWith(UI_ROOT))
    return layerViolation(UI_LAYERS, uiPartOf(path), uiPartOf(target))
  if (!isLocal || !target.startsWith('server/') || pure.has(target)) return null
  if (UI_TYPES.test(target)) return isType ? null : 'the UI takes only types of the schemas'
  return 'the UI knows the server by its API alone'
}

function reachableFrom(start: string, files: ReadonlyMap<string, SourceFile>): Set<string> {
  const found = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = files.get(path)
    if (file === undefined || found.has(path)) continue
    found.add(path)
    open.push(
      ...importsOf(file)
        .filter(({ isLocal }) => isLocal)
        .map(({ target }) => target),
    )
  }
  return found
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?[^'"`;=()]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    const isLocal = specifier.startsWith('.')
    const target = isLocal ? posix.join(posix.dirname(path), specifier) : specifier
    return { target, isLocal, isType: type !== undefined }
  })
}

const UI_ROOT = 'ui/src/'

/** `ui/src/keys/key-row.tsx` is of `keys`, `ui/src/app.tsx` is `app`. */
export function uiPartOf(path: string): string {
  return (path.split('/')[2] ?? '').replace(/\..*$/, '')
}

/** `server/jobs/job.ts` is of `jobs`, `server/app.ts` is `app`. */
function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}
