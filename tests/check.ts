/**
 * `bun run check`: everything that a commit must pass, in the order in which it fails fastest. Stops at the first
 * step that fails; the last line always counts what passed and what failed.
 */
import { join } from 'node:path'
import {
  gzippedBytes,
  initialScripts,
  MAX_INITIAL_SCRIPT_BYTES,
  staleCompressions,
} from './support/bundle-size.ts'
import { tempDir } from './support/temp-dir.ts'
import { type Count, countJUnit, countPlaywright, judge } from './support/test-counts.ts'

const root = join(import.meta.dir, '..')
using reports = tempDir()
/** A command that takes a tenth of a second takes five on a machine that does ten things at once. */
const TEST_TIMEOUT = '--timeout=30000'
let environment: Record<string, string | undefined> = process.env

interface Step {
  readonly title: string
  run(): Promise<Count>
}

const steps: readonly Step[] = [
  { title: 'install', run: async () => prepared(await runBun(['install', '--frozen-lockfile'])) },
  { title: 'tools', run: findTools },
  { title: 'lint', run: () => script('lint') },
  { title: 'types', run: () => script('types') },
  { title: 'unit and API tests', run: () => bunTests(testFiles((path) => !path.startsWith('executable/'))) },
  { title: 'build', run: () => script('build') },
  { title: 'bundle', run: bundle },
  { title: 'executable tests', run: () => bunTests(testFiles((path) => path.startsWith('executable/'))) },
  { title: 'browser tests', run: browserTests },
]

const total = { passed: 0, failed: 0 }
for (const { title, run } of steps) {
  console.log(`\n== ${title}`)
  const startedMs = performance.now()
  const count = await run().catch(brokenStep)
  total.passed += count.passed
  total.failed += count.failed
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`== ${title}: ${count.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  if (count.failed > 0) break
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** Loaded late, since what it imports is there only once the install is done. */
async function findTools(): Promise<Count> {
  const { ensureTools } = await import('./support/ensure-tools.ts')
  environment = { ...process.env, ...(await ensureTools()) }
  return prepared(0)
}

/** What goes before the checks is counted only when it fails. */
function prepared(exitCode: number): Count {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1 }
}

/** The closing line comes whatever happens: a step that cannot be run at all has failed. */
function brokenStep(error: unknown): Count {
  console.error(error instanceof Error ? error.message : error)
  return { passed: 0, failed: 1 }
}

/** A script of package.json counts as one check. */
async function script(name: string): Promise<Count> {
  return (await runBun(['run', name])) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function bunTests(files: readonly string[]): Promise<Count> {
  const report = reports.file(`${files.length}-${performance.now()}.xml`)
  const exitCode = await runBun([
    'test',
    TEST_TIMEOUT,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...files,
  ])
  return judge(exitCode, await countJUnit(report))
}

/** What the UI's page loads at first is small, and what is compressed beforehand is what was built. */
async function bundle(): Promise<Count> {
  const uiDir = join(root, 'dist/ui')
  const sizeBytes = await gzippedBytes(
    uiDir,
    initialScripts(await Bun.file(join(uiDir, 'index.html')).text()),
  )
  console.log(
    `Initial JavaScript: ${kilobytes(sizeBytes)} gzipped, of at most ${kilobytes(MAX_INITIAL_SCRIPT_BYTES)}`,
  )
  const stale = await staleCompressions(uiDir)
  for (const name of stale) console.error(`${name} is not what was built`)
  const held = [sizeBytes > 0 && sizeBytes <= MAX_INITIAL_SCRIPT_BYTES, stale.length === 0]
  return { passed: held.filter(Boolean).length, failed: held.filter((isHeld) => !isHeld).length }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

async function browserTests(): Promise<Count> {
  const report = reports.file('browser.json')
  const cli = join(root, 'node_modules/playwright/cli.js')
  const exitCode = await runBun([cli, 'test', '--config', join(root, 'tests/ui/playwright.config.ts')], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return judge(exitCode, await countPlaywright(report))
}

function testFiles(isWanted: (path: string) => boolean): string[] {
  const found = [...new Bun.Glob('**/*.test.ts').scanSync(join(root, 'tests'))]
  return found
    .filter(isWanted)
    .sort()
    .map((path) => join(root, 'tests', path))
}

/** Bun by its own path: it need not be on the path of whoever runs the check. */
async function runBun(args: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...environment, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return await child.exited
}
