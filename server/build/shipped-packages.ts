import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ROOT } from './executable.ts'

/** A package whose code may be in the executable. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  /** The text of its license files; empty if the package has only the expression. */
  readonly licenseText: string
}

/**
 * The packages that server and UI import, and those that they depend on, by name. The bundlers may leave out some of them, but
 * none is missing.
 */
export function shippedPackages(): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>()
  const add = (name: string, from: string): void => {
    const directory = directoryOf(name, from)
    if (directory === null || found.has(name)) return
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    const { version, license = 'NOASSERTION' } = manifest
    found.set(name, { name, version, license, licenseText: licenseTextIn(directory) })
    for (const dependency of dependenciesOf(manifest)) add(dependency, directory)
  }
  for (const name of importedPackages()) add(name, ROOT)
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

interface Manifest {
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

function dependenciesOf({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Manifest): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

function importedPackages(): Set<string> {
  const sources = ['server/**/*.ts', 'ui/src/**/*.{ts,tsx}'].flatMap((glob) => [
    ...new Bun.Glob(glob).scanSync(ROOT),
  ])
  const names = new Set<string>()
  for (const path of sources) {
    if (path.startsWith('server/build/') || path.endsWith('.d.ts')) continue
    const transpiler = new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
    // Imports of types only are not among these.
    for (const imported of transpiler.scanImports(readFileSync(join(ROOT, path), 'utf8'))) {
      const name = /^(?:@[\w.-]+\/)?[a-z][\w.-]*(?=$|\/)/.exec(imported.path)?.[0]
      if (name !== undefined) names.add(name)
    }
  }
  return names
}

/** As Node finds packages. Null for modules of the runtime, which are in no package. */
function directoryOf(name: string, from: string): string | null {
  const directory = join(from, 'node_modules', name)
  if (existsSync(join(directory, 'package.json'))) return directory
  return from === ROOT || from === dirname(from) ? null : directoryOf(name, dirname(from))
}

function licenseTextIn(directory: string): string {
  // A package may contain code of others, with their licenses beside it. What it depends on is read by itself.
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.includes('node_modules') && /^(?:licen[cs]e|notice|copying)/i.test(basename(name)),
  )
  return names
    .toSorted()
    .map((name) => readFileSync(join(directory, name), 'utf8').trim())
    .join('\n\n')
}
