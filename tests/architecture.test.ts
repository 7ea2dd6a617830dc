import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  importCircles,
  importViolations,
  LAYERS,
  roomCircles,
  type SourceFile,
  suppressions,
  UI_LAYERS,
  uiPartOf,
} from './support/architecture.ts'
import { unusedExports } from './support/unused-exports.ts'

const ROOT = join(import.meta.dir, '..')
/** Past 300 lines, ask why; past 400, split. What is read together stays together. */
const MAX_LINES = 400
/** All copy in another language is one file, so that one person can translate it without knowing the folders. */
const TRANSLATIONS = 'ui/src/language/translations/'

describe('The sources', () => {
  test('import only the layers below', () => {
    expect(importViolations(sources(['server', 'ui']))).toEqual([])
  })

  test('import each other in no circle, types included', () => {
    expect(importCircles(sources(['server', 'ui/src']))).toEqual([])
  })

  test('of a room of the server import no room that leads back to it', () => {
    expect(roomCircles(sources(['server']))).toEqual([])
  })

  test('of the server all belong to a layer', () => {
    const parts = new Set(sources(['server']).map(({ path }) => path.split('/')[1]?.replace(/\.ts$/, '')))
    expect([...parts].toSorted()).toEqual([...LAYERS.flat(), 'build', 'client'].toSorted())
  })

  test('of the interface all belong to a layer', () => {
    const inside = sources(['ui']).filter(({ path }) => path.startsWith('ui/src/'))
    const parts = new Set(inside.map(({ path }) => uiPartOf(path)))
    expect([...parts, 'styles'].toSorted()).toEqual(UI_LAYERS.flat().toSorted())
  })

  test(`have at most ${MAX_LINES} lines per file, but for translations`, () => {
    const long = sources(['server', 'ui', 'drizzle', 'tests'])
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ path, lines }) => lines > MAX_LINES && !path.startsWith(TRANSLATIONS))
    expect(long).toEqual([])
  })

  test('export no value for nobody, but for translations, which the build takes', () => {
    const unused = unusedExports(sources(['server', 'ui', 'drizzle', 'tests']))
    expect(unused.filter((line) => !line.startsWith(TRANSLATIONS))).toEqual([])
  })

  test('suppress no error of the compiler or the linter', () => {
    expect(suppressions(sources(['server', 'ui', 'drizzle', 'tests']))).toEqual([])
  })

  test('are in a repository whose top level holds only the expected files', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')
    const found = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !ignored.includes(`${name}/`))
    expect(found.toSorted()).toEqual(TOP_LEVEL.toSorted())
  })
})

describe('The check of imports', () => {
  test.each([
    ['server/jobs/jobs.ts', "import { app } from '../app.ts'", 'app is not in a layer below jobs'],
    [
      'server/http/jobs/routes.ts',
      "import { sweep } from '../../scheduling/sweeper.ts'",
      'is not in a layer below http',
    ],
    [
      'server/scheduling/sweeper.ts',
      "export * from '../http/job-json.ts'",
      'is not in a layer below scheduling',
    ],
    [
      'server/keys/api-keys.ts',
      "import type {\n  Token,\n} from '../downloads/token.ts'",
      'is not in a layer below',
    ],
    ['server/engine/run-job.ts', "import { open } from '../db/open.ts'", 'engine knows no database'],
    [
      'server/engine/connections/lease-queue.ts',
      "import { ConnectionPool } from './pool/connection-pool.ts'",
      'only through its channel',
    ],
    [
      'server/archive/block.ts',
      "const lazy = await import('../engine/pool.ts')",
      'is not in a layer below archive',
    ],
    ['server/newcomer/part.ts', "import '../errors.ts'", 'newcomer has no place'],
    ['server/errors.ts', "import { page } from '../ui/src/app.tsx'", 'neither UI nor tests'],
    ['server/jobs/jobs.ts', "import { eq } from 'drizzle-orm'", 'only *-store.ts'],
    ['server/keys/api-key-store.ts', "import { Database } from 'bun:sqlite'", 'only db/'],
    ['server/app.ts', "import { Elysia } from 'elysia'", 'only http/'],
    ['server/app.ts', "import { staticPlugin } from '@elysiajs/static'", 'only http/'],
    ['ui/src/app.tsx', "import type { Job } from '../../server/jobs/job.ts'", 'only through its API'],
    ['ui/src/app.tsx', "import { job } from '../../server/http/job-schemas.ts'", 'only types'],
    [
      'ui/src/base/page.tsx',
      "import { reachable } from '../api/connection.ts'",
      'is not in a layer below base',
    ],
    ['server/archive/names/entry-name.ts', "import { readFileSync } from 'node:fs'", 'must be pure'],
    ['server/client/client.ts', "import { job } from '../http/job-schemas.ts'", 'only types'],
    ['server/client/client.ts', "import type { Job } from '../jobs/job.ts'", 'only types of the API'],
    ['server/client/client.ts', "import { z } from 'zod'", 'no package but'],
    [
      'server/app.ts',
      "import { download } from './client/download.ts'",
      'client is not in a layer below app',
    ],
  ])('reports in %s: %s', (path, text, reason) => {
    const [violation, ...others] = importViolations([{ path, text }])
    expect(violation).toStartWith(`${path} imports `)
    expect(violation).toContain(reason)
    expect(others).toEqual([])
  })

  test('reports imports that the UI gets indirectly through the rules for entry names', () => {
    const files = [
      { path: 'server/archive/names/entry-name.ts', text: "import { safe } from './safe.ts'" },
      { path: 'server/archive/names/safe.ts', text: "import { crc32 } from 'node:zlib'" },
    ]
    expect(importViolations(files)).toHaveLength(1)
  })

  test('reports imports that lead a part without database to it indirectly', () => {
    const files = [
      { path: 'server/engine/run-job.ts', text: "import type { Lock } from '../data/lock.ts'" },
      { path: 'server/fetching/fetch-url.ts', text: "import { clock } from '../time/clock.ts'" },
      { path: 'server/archive/file.ts', text: "import { lock } from '../data/lock.ts'" },
      { path: 'server/data/lock.ts', text: "import { open } from './open.ts'" },
      { path: 'server/data/open.ts', text: "import { connect } from '../db/connect.ts'" },
      { path: 'server/db/connect.ts', text: "import { Database } from 'bun:sqlite'" },
    ]
    expect(importViolations(files)).toEqual([
      'server/engine/run-job.ts imports server/data/lock.ts: engine knows no database',
      'server/archive/file.ts imports server/data/lock.ts: archive knows no database',
    ])
  })

  test.each([
    [
      'server/jobs/reading/query-store.ts',
      "import { eq } from 'drizzle-orm'\nimport { orm } from '../../db/open.ts'",
    ],
    ['server/http/jobs/routes.ts', "import { Elysia } from 'elysia'\nimport { jobs } from '../jobs/jobs.ts'"],
    ['server/main.ts', "import { run } from './cli/run.ts'"],
    ['ui/src/keys/key-row.tsx', "import { Button } from '../base/button.tsx'\nimport './key-list.tsx'"],
    ['ui/src/app.tsx', "import type { JobJson } from '../../server/http/job-schemas.ts'\nimport './app.css'"],
    ['ui/src/api/jobs.ts', "import { readEvents } from '../../../server/client/read-events.ts'"],
    [
      'server/client/client.ts',
      "import type { Issue } from '../errors.ts'\nimport { fetch } from './fetch.ts'",
    ],
  ])('accepts %s', (path, text) => {
    expect(importViolations([{ path, text }])).toEqual([])
  })
})

describe('The check of circles', () => {
  const file = (path: string, ...targets: readonly string[]) => ({
    path,
    text: targets.map((target) => `import type { T } from './${target}'\n`).join(''),
  })

  test('reports each circle once, and a file that imports itself', () => {
    const files = [
      file('server/c.ts', 'a.ts', 'd.ts'),
      file('server/a.ts', 'b.ts'),
      file('server/b.ts', 'c.ts'),
      file('server/d.ts', 'd.ts'),
    ]
    expect(importCircles(files)).toEqual([
      'server/a.ts -> server/b.ts -> server/c.ts -> server/a.ts',
      'server/d.ts -> server/d.ts',
    ])
  })

  test('reports rooms that import each other, though their files do not, and files next to them', () => {
    const files = [
      file('server/engine/bodies/spool.ts', '../checkpoint/entry.ts'),
      file('server/engine/checkpoint/reclaim.ts', '../bodies/remove.ts'),
      file('server/engine/limits/memory.ts', '../order.ts'),
      file('server/engine/order.ts', 'limits/size.ts', 'bodies/spool.ts'),
      file('server/engine/limits/disk.ts', './size.ts'),
    ]
    expect(importCircles(files)).toEqual([])
    expect(roomCircles(files)).toEqual([
      'server/engine/bodies -> server/engine/checkpoint -> server/engine/bodies',
      'server/engine/limits -> server/engine/order.ts -> server/engine/limits',
    ])
  })

  test('accepts several ways to one file', () => {
    const files = [
      file('server/a.ts', 'b.ts', 'c.ts'),
      file('server/b.ts', 'd.ts'),
      file('server/c.ts', 'd.ts'),
      file('server/d.ts'),
    ]
    expect(importCircles(files)).toEqual([])
  })
})

describe('The check of exports', () => {
  const exporting = {
    path: 'server/a.ts',
    text: 'export const A = 1\nexport async function b() {}\nexport class C {}\nexport interface D {}\nconst e = 1\n',
  }
  const unusedWith = (text: string) => unusedExports([exporting, { path: 'server/b.ts', text }])

  test('reports the values that no other file imports, and no types', () => {
    expect(unusedWith("import { A } from './other.ts'\nconst b = 1\n")).toEqual([
      'server/a.ts exports A',
      'server/a.ts exports b',
      'server/a.ts exports C',
    ])
  })

  test('reports no value that is only imported by another name, as a type, or lazily', () => {
    const text = "import {\n  A as first,\n  type C,\n} from './a.ts'\nconst { b } = await import('./a.ts')\n"
    expect(unusedWith(text)).toEqual([])
  })

  test('reports a value that its importer names only beside its import', () => {
    expect(unusedWith("import { A, b } from './a.ts'\nconst C = 1\n")).toEqual(['server/a.ts exports C'])
  })
})

describe('The check of suppressions', () => {
  test.each([
    ['//', '@ts-ignore'],
    ['//', '@ts-expect-error: later'],
    ['/*', '@ts-nocheck */'],
    ['/**', '@ts-ignore */'],
    ['  //', 'biome-ignore lint/suspicious/noExplicitAny: later'],
    ['const a = 1 //', 'biome-ignore-all lint: later'],
  ])('reports %s %s', (opening, directive) => {
    const line = `${opening} ${directive}`
    const found = suppressions([{ path: 'server/app.ts', text: `\n${line}\n` }])
    expect(found).toEqual([`server/app.ts:2 ${line.trim()}`])
  })

  test('accepts a string that mentions one', () => {
    expect(suppressions([{ path: 'server/app.ts', text: "const text = '@ts-ignore'\n" }])).toEqual([])
  })
})

const TOP_LEVEL = [
  'LICENSE',
  'README.md',
  'bun.lock',
  'bunfig.toml',
  'drizzle',
  'package.json',
  'server',
  'tests',
  'tsconfig.json',
  'ui',
]

function sources(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)])
    .filter((path) => !path.startsWith('server/generated/'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}
