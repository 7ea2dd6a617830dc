import { type Count, countJUnit, judge, sum } from './test-counts.ts'

export interface TestRun {
  /** How many processes run at a time. */
  readonly processes: number
  /** The path of a new file for a report. */
  readonly newReport: () => string
  readonly cwd: string
  readonly env: Record<string, string | undefined>
}

/**
 * Runs test files with `bun test`, a batch of files per process. Several processes at a time save time: most tests wait for
 * files, timers and other processes. Prints the output of a batch when it has ended, and that of batches with failures at the end.
 */
export async function runTestFiles(files: readonly string[], run: TestRun): Promise<Count> {
  const batchFiles = Math.min(BATCH_FILES, Math.ceil(files.length / (2 * run.processes)))
  const batches = Array.from({ length: Math.ceil(files.length / batchFiles) }, (_, index) =>
    files.slice(index * batchFiles, (index + 1) * batchFiles),
  )
  // All processes share one iterator.
  const remaining = batches.values()
  const counts: Count[] = []
  const failed: string[] = []
  const runRemaining = async () => {
    for (const batch of remaining) {
      const { count, output } = await runBatch(batch, run)
      counts.push(count)
      if (count.failed === 0) console.log(output)
      else failed.push(output)
    }
  }
  await Promise.all(Array.from({ length: run.processes }, runRemaining))
  for (const output of failed) console.log(output)
  return sum(counts)
}

async function runBatch(
  files: readonly string[],
  { newReport, cwd, env }: TestRun,
): Promise<{ count: Count; output: string }> {
  const report = newReport()
  const child = Bun.spawn(
    [process.execPath, 'test', TEST_TIMEOUT, '--reporter=junit', `--reporter-outfile=${report}`, ...files],
    { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { count: judge(exitCode, await countJUnit(report)), output: stdout + stderr }
}

const BATCH_FILES = 4
/** On a busy machine, a command takes fifty times as long, and the time of a test includes that of those beside it. */
const TEST_TIMEOUT = '--timeout=60000'
