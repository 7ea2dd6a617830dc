/**
 * `bun run check`: all checks that a commit must pass, the fastest first. Stops at the first step that fails. The last
 * line counts passed and failed checks.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  gzippedBytes,
  initialScripts,
  MAX_INITIAL_SCRIPT_BYTES,
  staleCompressions,
} from './support/bundle-size.ts'
import { runTestFiles } from './support/run-test-files.ts'
import { tempDir } from './support/temp-dir.ts'
import { type Count, countPlaywright, judge, sum } from './support/test-counts.ts'

const root = join(import.meta.dir, '..')
using reports = tempDir()
/** These tests measure time or memory: nothing else may run beside them. */
const MEASURING_TESTS = new Set([
  'executable/memory.test.ts',
  'executable/request-bounds.test.ts',
  'resilience/connection-shares.test.ts',
  'resilience/turns.test.ts',
  'security/hostile-headers.test.ts',
])
/** These tests depend on how soon a thread runs, and wait for most of their time: they leave each other a processor. */
const PROMPT_TESTS = new Set([
  'executable/clients-per-address.test.ts',
  'executable/idle-clients.test.ts',
  'resilience/busy-database.test.ts',
  'resilience/power-loss.test.ts',
  'resilience/slot-shares.test.ts',
  'resilience/supervision.test.ts',
])
/** These tests take less than a tenth of a processor. */
const IDLE_TESTS = new Set([
  'engine/host-availability.test.ts',
  'executable/broken-disks.test.ts',
  'fetching/paused-process.test.ts',
  'resilience/silent-streams.test.ts',
  'resilience/stuck-thread.test.ts',
])
/** Tests that import it compare processor times. */
const CPU_TIME_MODULE = 'support/cpu-time.ts'
/** Tests that wait leave half of two processors idle. With more processes, those that expect a thread to run soon fail. */
const TEST_PROCESSES = 2
let environment: Record<string, string | undefined> = process.env

interface Step {
  readonly title: string
  run(): Promise<Count>
}

const steps: readonly Step[] = [
  { title: 'install', run: async () => preparation(await runBun(['install', '--frozen-lockfile'])) },
  { title: 'tools', run: findTools },
  {
    title: 'lint, types and build',
    run: async () => sum(await Promise.all(['lint', 'types', 'build'].map(script))),
  },
  { title: 'bundle', run: bundle },
  {
    title: 'unit, API and executable tests',
    run: async () =>
      sum(
        await Promise.all([bunTests(isOther, TEST_PROCESSES), bunTests((path) => IDLE_TESTS.has(path), 1)]),
      ),
  },
  { title: 'prompt tests', run: () => bunTests((path) => PROMPT_TESTS.has(path), TEST_PROCESSES) },
  { title: 'measuring tests', run: () => bunTests(isMeasuring, 1) },
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

/** Imports the module dynamically, because its dependencies exist only after the install. */
async function findTools(): Promise<Count> {
  const { ensureTools } = await import('./support/ensure-tools.ts')
  environment = { ...process.env, ...(await ensureTools()) }
  return preparation(0)
}

/** A preparation counts only if it fails. */
function preparation(exitCode: number): Count {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1 }
}

/** A step that throws counts as failed, so that the last line is always printed. */
function brokenStep(error: unknown): Count {
  console.error(error instanceof Error ? error.message : error)
  return { passed: 0, failed: 1 }
}

/** A script of package.json counts as one check. */
async function script(name: string): Promise<Count> {
  return (await runBun(['run', name])) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function bunTests(isWanted: (path: string) => boolean, processes: number): Promise<Count> {
  const newReport = () => reports.file(`${crypto.randomUUID()}.xml`)
  return runTestFiles(testFiles(isWanted), { processes, newReport, cwd: root, env: environment })
}

/** Checks the size of the initial scripts, and that the compressed copies match their files. */
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
  for (const name of stale) console.error(`${name} differs from the file that it is a copy of`)
  const results = [sizeBytes > 0 && sizeBytes <= MAX_INITIAL_SCRIPT_BYTES, stale.length === 0]
  return { passed: results.filter(Boolean).length, failed: results.filter((isOk) => !isOk).length }
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

/** Whether nothing else may run beside a test file, given by its path in `tests/`. */
function isMeasuring(path: string): boolean {
  return (
    MEASURING_TESTS.has(path) || readFileSync(join(root, 'tests', path), 'utf8').includes(CPU_TIME_MODULE)
  )
}

function isOther(path: string): boolean {
  return !(isMeasuring(path) || PROMPT_TESTS.has(path) || IDLE_TESTS.has(path))
}

/** The slowest first, so that all processes end at about the same time: tests of the executable. */
function testFiles(isWanted: (path: string) => boolean): string[] {
  const found = [...new Bun.Glob('**/*.test.ts').scanSync(join(root, 'tests'))].filter(isWanted).toSorted()
  const isSlow = (path: string) => path.startsWith('executable/')
  const inOrder = [...found.filter(isSlow), ...found.filter((path) => !isSlow(path))]
  return inOrder.map((path) => join(root, 'tests', path))
}

/** Uses the path of the running Bun, which may not be in PATH. */
async function runBun(args: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...environment, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return await child.exited
}
