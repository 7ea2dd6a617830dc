/** `bun run soak`: tests that take minutes and gigabytes, and reports of the page. The last line counts passed and failed tests. */
import { join } from 'node:path'
import { ensureTools } from '../support/ensure-tools.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Count, countJUnit, countPlaywright, judge, sum } from '../support/test-counts.ts'

const root = join(import.meta.dir, '../..')
using reports = tempDir()
const tools = await ensureTools()
const { passed, failed } = sum([await soaks(), await pageReports()])
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function soaks(): Promise<Count> {
  const report = reports.file('soak.xml')
  // Passes their paths, because `bun test` finds no `.soak.ts` files by itself.
  const files = [...new Bun.Glob('*.soak.ts').scanSync(import.meta.dir)]
    .sort()
    .map((name) => `./tests/soak/${name}`)
  const exitCode = await runBun(['test', '--reporter=junit', `--reporter-outfile=${report}`, ...files])
  return judge(exitCode, await countJUnit(report))
}

/** The memory and the processor time of the page. */
async function pageReports(): Promise<Count> {
  const report = reports.file('browser.json')
  const cli = join(root, 'node_modules/playwright/cli.js')
  const config = ['--config', join(root, 'tests/ui/playwright.config.ts'), '--project=measured']
  const exitCode = await runBun([cli, 'test', ...config], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  return judge(exitCode, await countPlaywright(report))
}

async function runBun(args: readonly string[], more: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...tools, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return await child.exited
}
