/**
 * `bun run test NAME...`: runs the test files whose paths contain one of the names, those of the browser included. Installs missing
 * tools if it can, and builds the executable if one of the tests needs it and it is older than its sources.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureTools } from './support/ensure-tools.ts'
import { EXECUTABLE } from './support/executable.ts'

const ROOT = join(import.meta.dir, '..')
const names = process.argv.slice(2)
const files = [...new Bun.Glob('**/*.{test,e2e}.ts').scanSync(import.meta.dir)]
  .filter((path) => names.some((name) => `tests/${path}`.includes(name)))
  .toSorted()
if (files.length === 0) {
  console.error(
    names.length === 0
      ? 'Name a part of the path of a test: bun run test download'
      : `No test has ${names.map((name) => `"${name}"`).join(' or ')} in its path. Name a part of one: bun run test download`,
  )
  process.exit(2)
}

const browserTests = files.filter((path) => path.endsWith('.e2e.ts'))
const otherTests = files.filter((path) => !path.endsWith('.e2e.ts'))
const env = { ...process.env, ...(await findTools()) }
const needsBuild = browserTests.length > 0 || otherTests.some((path) => path.startsWith('executable/'))
if (needsBuild && !isBuildCurrent()) run('run', 'build')
if (otherTests.length > 0) run('test', '--timeout=180000', ...otherTests.map((path) => `./tests/${path}`))
if (browserTests.length > 0) {
  const config = ['--config', 'tests/ui/playwright.config.ts', '--no-deps']
  run('node_modules/playwright/cli.js', 'test', ...config, ...browserTests.map((path) => `tests/${path}`))
}

/** Most tests need no tool, so that a missing one is only named. */
async function findTools(): Promise<Record<string, string>> {
  try {
    return await ensureTools()
  } catch (error) {
    console.error(
      'A tool is missing, and tests that use it will fail.',
      error instanceof Error ? error.message : error,
    )
    return {}
  }
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
    env,
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) process.exit(exitCode)
}
