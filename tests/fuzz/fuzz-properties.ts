import { join } from 'node:path'

/** Runs all property tests once with each of some seeds. Returns the output of each run that failed. */
export async function fuzzProperties(count: number, firstSeed: number): Promise<string[]> {
  const files = await propertyTests()
  const faults: string[] = []
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const run = Bun.spawn([process.execPath, 'test', '--timeout=180000', ...files], {
      cwd: root,
      env: { ...process.env, PROPERTY_SEED: `${seed}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const output = await run.stderr.text()
    if ((await run.exited) !== 0) faults.push(`Property tests with PROPERTY_SEED=${seed}:\n${output}`)
  }
  return faults
}

/** The paths of all test files that import fast-check. */
async function propertyTests(): Promise<string[]> {
  const files: string[] = []
  for await (const path of new Bun.Glob('**/*.test.ts').scan(join(root, 'tests')))
    if ((await Bun.file(join(root, 'tests', path)).text()).includes("from 'fast-check'"))
      files.push(`./tests/${path}`)
  return files.sort()
}

const root = join(import.meta.dir, '../..')
