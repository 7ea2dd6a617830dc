import { posix } from 'node:path'

/** A source file. Its path is relative to the root of the repository. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * The parts of the server, from top to bottom. A part may import itself and the layers below it, but no other part of
 * its own layer. A part is a folder in `server/` or a file directly in it.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['main'],
  ['cli'],
  ['app'],
  ['service-data'],
  ['stores'],
  ['http', 'scheduling', 'backup'],
  ['schedules'],
  ['notifiers', 'admin', 'downloads', 'inspection', 'settings'],
  ['jobs'],
  // Settings name plans and networks, and a key belongs to a user.
  ['config', 'keys', 'sites'],
  ['accounts'],
  ['engine'],
  // Cookies and the names of headers are those of fetching.
  ['archive-store', 'credentials', 'pulling'],
  ['archive', 'fetching'],
  ['monitoring'],
  ['data'],
  ['db'],
  ['files', 'paging'],
  [
    'deploy',
    'errors',
    'time',
    'logging',
    'text',
    'version',
    'vocabulary',
    'program-files',
    'request-limits',
    'semaphore',
    'garbage',
    'bytes',
    'user-turns',
    'child-environment',
  ],
]

/** The same for the interface, in `ui/src/`. */
export const UI_LAYERS: readonly (readonly string[])[] = [
  ['main'],
  ['interface'],
  ['app'],
  [
    'shell',
    'archive-page',
    'share-page',
    'account',
    'keys',
    'sites',
    'schedules',
    'notifications',
    'users',
    'service',
    'add-to-browser',
    'check-zip',
    'sign-in',
  ],
  ['new-archive'],
  ['archive-list', 'map', 'preview', 'repeat'],
  ['api'],
  ['base'],
  ['links'],
  ['language'],
  ['session', 'styles'],
]

/** The parts that run a job import nothing that leads to the database, although it is in a layer below them. */
const KNOW_NO_DATABASE = ['engine', 'archive', 'fetching']

/** Runs in another thread than the jobs that it serves. */
const POOL = 'server/engine/connections/pool/'
const REACHES_POOL = /^server\/engine\/(?:connections\/pool|threads)\//

/** Locks a file by an open transaction of SQLite. */
const FILE_LOCK = 'server/data/file-lock.ts'

/** What the client and the UI may import of the server, as types only: the shapes of requests, responses and errors. */
const API_TYPES = /^server\/(?:http\/(?:[a-z]+\/)?(?:[a-z-]+-)?schemas?|errors)\.ts$/
/** The client runs in programs of other people, so it brings this package and nothing of the server. */
const CLIENT_ROOT = 'server/client/'
const CLIENT_PACKAGE = 'eventsource-parser'
/**
 * The UI may also import the client, the limits of requests, how text files are read, the rules for entry names, which it needs for
 * a preview, the check of ZIP files, and the readers of logins, with the rules of cookies.
 */
const UI_CODE = [
  'server/archive/names/entry-name.ts',
  'server/archive/names/file-kind.ts',
  'server/text/glob.ts',
  'server/archive/verifying/bodies.ts',
  'server/archive/verifying/verify-archive.ts',
  'server/credentials/cookies-txt.ts',
  'server/credentials/curl-commands.ts',
  'server/credentials/login-kind.ts',
  'server/credentials/netrc.ts',
  'server/fetching/headers/saved-cookies.ts',
  'server/text/basic-authorization.ts',
  'server/text/decode-text.ts',
  'server/request-limits.ts',
]
/** The one file of the UI that the server uses: the pages of `/docs` look like the interface. */
const DESIGN_TOKENS = 'ui/src/styles/tokens.css'

/** All violations of the import rules in ARCHITECTURE.md, one line per violation. */
export function importViolations(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const pure = new Set(UI_CODE.flatMap((path) => [...reachableFrom(path, byPath)]))
  const database = leadingToDatabase(files)
  const violations: string[] = []
  for (const file of files) {
    for (const imported of importsOf(file)) {
      const reason = file.path.startsWith('ui/')
        ? uiViolation(file.path, imported, pure)
        : file.path.startsWith(CLIENT_ROOT)
          ? clientViolation(imported)
          : file.path.startsWith('server/build/')
            ? null
            : serverViolation(file.path, imported, database)
      if (reason !== null) violations.push(`${file.path} imports ${imported.target}: ${reason}`)
    }
  }
  for (const path of pure) {
    const outside = importsOf(byPath.get(path) ?? { path, text: '' }).find(({ isLocal }) => !isLocal)
    if (outside !== undefined)
      violations.push(`${path} imports ${outside.target}: the UI imports it, so it must be pure`)
  }
  return violations
}

/**
 * All circles of imports, those of types included: the shortest one through each file that is in one, as
 * `a.ts -> b.ts -> a.ts`. Each is listed once.
 */
export function importCircles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path))
  return circlesIn(
    new Map(
      files.map((file) => [
        file.path,
        importsOf(file)
          .map(({ target }) => target)
          .filter((target) => known.has(target)),
      ]),
    ),
  )
}

/**
 * The same between the rooms of each part of the server, such as `server/engine/bodies`. A file next to the rooms of its part is a room of
 * its own.
 */
export function roomCircles(files: readonly SourceFile[]): string[] {
  const imports = new Map<string, string[]>()
  for (const file of files) {
    const room = roomOf(file.path)
    const others = importsOf(file).map(({ target }) => roomOf(target))
    imports.set(room, [...(imports.get(room) ?? []), ...others.filter((other) => other !== room)])
  }
  return circlesIn(imports)
}

function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>()
  for (const start of imports.keys()) {
    const circle = wayBackTo(start, imports)
    if (circle === null) continue
    // Begins with the first name, so that each of its files finds the same circle.
    const first = circle.indexOf(circle.toSorted()[0] ?? start)
    const turned = [...circle.slice(first), ...circle.slice(0, first)]
    circles.add([...turned, turned[0]].join(' -> '))
  }
  return [...circles].toSorted()
}

/** The files of the shortest circle that begins at `start`; null if there is none. */
function wayBackTo(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  /** The file from which each file was reached first. */
  const reachedFrom = new Map<string, string>()
  const open = [start]
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    for (const target of imports.get(path) ?? []) {
      if (target === start) return wayTo(path, start, reachedFrom)
      if (reachedFrom.has(target)) continue
      reachedFrom.set(target, path)
      open.push(target)
    }
  }
  return null
}

function wayTo(path: string, start: string, reachedFrom: ReadonlyMap<string, string>): string[] {
  const way = [path]
  for (let at = path; at !== start; ) {
    at = reachedFrom.get(at) ?? start
    way.unshift(at)
  }
  return way
}

/** All comments that suppress an error of the compiler or the linter. The cause must be fixed instead. */
export function suppressions(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (SUPPRESSION.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )
}

const SUPPRESSION = /(?:\/\/|\/\*+|^\s*\*)\s*(?:@ts-(?:ignore|expect-error|nocheck)|biome-ignore)/

interface Import {
  /** A path relative to the root of the repository, or the name of a package. */
  readonly target: string
  readonly isLocal: boolean
  readonly isType: boolean
  /** The text in which what it imports is named: that of the whole file if it imports all or lazily. */
  readonly namedIn: string
}

function serverViolation(
  path: string,
  { target, isLocal }: Import,
  database: ReadonlySet<string>,
): string | null {
  const part = partOf(path)
  if (!isLocal) return packageViolation(path, part, target)
  if (target === DESIGN_TOKENS) return null
  if (target.startsWith('ui/') || target.startsWith('tests/'))
    return 'the server may import neither UI nor tests'
  if (!target.startsWith('server/')) return null
  return (
    layerViolation(LAYERS, part, partOf(target)) ??
    (KNOW_NO_DATABASE.includes(part) && database.has(target) ? `${part} knows no database` : null) ??
    (target.startsWith(POOL) && part === 'engine' && !REACHES_POOL.test(path)
      ? 'a job reaches the pool only through its channel'
      : null)
  )
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
  return `${imported} is not in a layer below ${part}`
}

function packageViolation(path: string, part: string, name: string): string | null {
  const isStore = path.endsWith('-store.ts') || part === 'db'
  if (name.startsWith('drizzle-orm') && !isStore) return 'only *-store.ts and db/ may import Drizzle'
  if (name === 'bun:sqlite' && part !== 'db' && path !== FILE_LOCK) return 'only db/ may open the database'
  if (/^(elysia|@elysiajs\/)/.test(name) && part !== 'http') return 'only http/ may import Elysia'
  return null
}

function clientViolation({ target, isLocal, isType }: Import): string | null {
  if (target.startsWith(CLIENT_ROOT) || (isType && API_TYPES.test(target))) return null
  if (isLocal) return 'the client may import only types of the API'
  return target === CLIENT_PACKAGE ? null : `the client may import no package but ${CLIENT_PACKAGE}`
}

function uiViolation(
  path: string,
  { target, isLocal, isType }: Import,
  pure: ReadonlySet<string>,
): string | null {
  if (isLocal && path.startsWith(UI_ROOT) && target.startsWith(UI_ROOT))
    return layerViolation(UI_LAYERS, uiPartOf(path), uiPartOf(target))
  if (!isLocal || !target.startsWith('server/') || target.startsWith(CLIENT_ROOT) || pure.has(target))
    return null
  if (API_TYPES.test(target)) return isType ? null : 'the UI may import only types of the schemas'
  return 'the UI may use the server only through its API'
}

/** The files of the database, and all that import them or its packages, directly or through others. */
function leadingToDatabase(files: readonly SourceFile[]): Set<string> {
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const { target } of importsOf(file))
      importers.set(target, [...(importers.get(target) ?? []), file.path])
  const found = new Set<string>()
  const open = [...importers.keys()].filter((target) => DATABASE.test(target))
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    if (found.has(target)) continue
    found.add(target)
    open.push(...(importers.get(target) ?? []))
  }
  return found
}

const DATABASE = /^(?:server\/db\/|bun:sqlite$|drizzle-orm)/

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

/** What a file imports, also lazily, and what it exports of others. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([statement, type, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    const isLocal = specifier.startsWith('.')
    const target = isLocal ? posix.join(posix.dirname(path), specifier) : specifier
    const clause = statement.slice(0, statement.indexOf("'"))
    const namedIn = from === undefined || clause.includes('*') ? text : clause
    return { target, isLocal, isType: type !== undefined, namedIn }
  })
}

const UI_ROOT = 'ui/src/'

/** `ui/src/keys/key-row.tsx` is in `keys`, and `ui/src/app.tsx` is `app`. */
export function uiPartOf(path: string): string {
  return (path.split('/')[2] ?? '').replace(/\..*$/, '')
}

/** `server/http/docs/reference/fields.ts` is in `server/http/docs`. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}

/** `server/jobs/job.ts` is in `jobs`, and `server/app.ts` is `app`. */
function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}
