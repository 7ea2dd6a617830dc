/**
 * `bun run test NAME...`: runs the test files whose paths contain one of the names, those of the browser included. Builds the
 * executable first if one of them needs it and it is older than its sources.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from './support/executable.ts'

const ROOT = join(import.meta.dir, '..')
const names = process.argv.slice(2)
const files = [...new Bun.Glob('**/*.{test,e2e}.ts').scanSync(import.meta.dir)]
  .filter((path) => names.some((name) => `tests/${path}`.includes(name)))
  .toSorted()
if (files.length === 0) {
  console.error('Name a part of the path of a test: bun run test download')
  process.exit(2)
}

const browserTests = files.filter((path) => path.endsWith('.e2e.ts'))
const otherTests = files.filter((path) => !path.endsWith('.e2e.ts'))
const needsBuild = browserTests.length > 0 || otherTests.some((path) => path.startsWith('executable/'))
if (needsBuild && !isBuildCurrent()) run('run', 'build')
if (otherTests.length > 0) run('test', '--timeout=60000', ...otherTests.map((path) => `./tests/${path}`))
if (browserTests.length > 0) {
  const config = ['--config', 'tests/ui/playwright.config.ts', '--no-deps']
  run('node_modules/playwright/cli.js', 'test', ...config, ...browserTests.map((path) => `tests/${path}`))
}

function isBuildCurrent(): boolean {
  if (!existsSync(EXECUTABLE)) return false
  const builtMs = statSync(EXECUTABLE).mtimeMs
  const sources = [...new Bun.Glob('{server,ui,drizzle}/**').scanSync(ROOT), 'package.json']
  return sources.every((path) => statSync(join(ROOT, path)).mtimeMs < builtMs)
}

/** Runs Bun, and ends with its exit code if that is not 0. */
function run(...args: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([process.execPath, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) process.exit(exitCode)
}
