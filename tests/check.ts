// server/decisions/tests.md says how the tests are grouped, and why all of them need so many minutes.

/**
 * `bun run check`: the checks before every commit, the fastest first. `bun run check:full` adds the tests that take long or
 * need prompt threads: every change must pass them, too. Stops at the first step that fails. The last line counts passed and
 * failed checks.
 */
import { join } from 'node:path'
import {
  gzippedBytes,
  initialScripts,
  MAX_INITIAL_SCRIPT_BYTES,
  MAX_SHARE_PAGE_BYTES,
  staleCompressions,
  styleSheets,
} from './support/bundle-size.ts'
import { runTestFiles } from './support/run-test-files.ts'
import { tempDir } from './support/temp-dir.ts'
import { type Count, countPlaywright, judge, sum } from './support/test-counts.ts'
import { groupOf, type TestGroup } from './support/test-groups.ts'

const root = join(import.meta.dir, '..')
const isFull = process.argv[2] === 'full'
using reports = tempDir()
/** Tests that wait leave half of two processors idle. */
const TEST_PROCESSES = 3
/** With more, tests that expect a thread to run soon fail. */
const PROMPT_PROCESSES = 2
/** Importing the service lasts as long as the tests of most files do. */
const BATCH_FILES = 16
/** Each of these takes long itself, and finds a process without the memory of others. */
const PROMPT_BATCH_FILES = 1
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
        await Promise.all([
          bunTests(isFull ? ['short', 'long'] : ['short'], TEST_PROCESSES, BATCH_FILES),
          bunTests(['idle'], 1, BATCH_FILES),
        ]),
      ),
  },
  ...(isFull ? [{ title: 'prompt tests', run: promptTests }] : []),
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
  const tools = await ensureTools()
  environment = { ...process.env, ...tools, HOLDALL_TEST_EXECUTABLE: join(root, 'dist/holdall') }
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

async function promptTests(): Promise<Count> {
  return sum(
    await Promise.all([
      bunTests(['prompt'], PROMPT_PROCESSES, PROMPT_BATCH_FILES),
      bunTests(['prompt-idle'], 1, PROMPT_BATCH_FILES),
    ]),
  )
}

function bunTests(groups: readonly TestGroup[], processes: number, maxBatchFiles: number): Promise<Count> {
  const newReport = () => reports.file(`${crypto.randomUUID()}.xml`)
  return runTestFiles(testFiles(groups), {
    processes,
    maxBatchFiles,
    newReport,
    cwd: root,
    env: environment,
  })
}

/** Checks the size of what the two pages load first, and that the compressed copies match their files. */
async function bundle(): Promise<Count> {
  const uiDir = join(root, 'dist/ui')
  const pageOf = (name: string) => Bun.file(join(uiDir, name)).text()
  const [main, share] = await Promise.all(['index.html', 'share.html'].map(pageOf))
  const stale = await staleCompressions(uiDir)
  for (const name of stale) console.error(`${name} differs from the file that it is a copy of`)
  const results = [
    await fits('Initial JavaScript', uiDir, initialScripts(main ?? ''), MAX_INITIAL_SCRIPT_BYTES),
    await fits(
      'Page for receivers',
      uiDir,
      [...initialScripts(share ?? ''), ...styleSheets(share ?? '')],
      MAX_SHARE_PAGE_BYTES,
    ),
    stale.length === 0,
  ]
  return { passed: results.filter(Boolean).length, failed: results.filter((isOk) => !isOk).length }
}

async function fits(
  title: string,
  uiDir: string,
  paths: readonly string[],
  maxBytes: number,
): Promise<boolean> {
  const sizeBytes = await gzippedBytes(uiDir, paths)
  console.log(`${title}: ${kilobytes(sizeBytes)} gzipped, of at most ${kilobytes(maxBytes)}`)
  return sizeBytes > 0 && sizeBytes <= maxBytes
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

async function browserTests(): Promise<Count> {
  const report = reports.file('browser.json')
  const cli = join(root, 'node_modules/playwright/cli.js')
  const options = [
    '--config',
    join(root, 'tests/ui/playwright.config.ts'),
    ...(isFull ? ['short', 'long'] : ['short']).map((project) => `--project=${project}`),
  ]
  const exitCode = await runBun([cli, 'test', ...options], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  return judge(exitCode, await countPlaywright(report))
}

/** The slowest first, so that all processes end at about the same time: tests of the executable. */
function testFiles(groups: readonly TestGroup[]): string[] {
  const found = [...new Bun.Glob('**/*.test.ts').scanSync(join(root, 'tests'))]
    .filter((path) => groups.includes(groupOf(path)))
    .toSorted()
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
