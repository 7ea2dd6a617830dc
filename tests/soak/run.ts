/** `bun run soak`: tests that take minutes and gigabytes. The last line counts passed and failed tests. */
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { countJUnit, judge } from '../support/test-counts.ts'

const root = join(import.meta.dir, '../..')
using reports = tempDir()
const report = reports.file('soak.xml')
// Passes their paths, because `bun test` finds no `.soak.ts` files by itself.
const files = [...new Bun.Glob('*.soak.ts').scanSync(import.meta.dir)]
  .sort()
  .map((name) => `./tests/soak/${name}`)
const child = Bun.spawn(
  [process.execPath, 'test', '--reporter=junit', `--reporter-outfile=${report}`, ...files],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
const { passed, failed } = judge(await child.exited, await countJUnit(report))
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
