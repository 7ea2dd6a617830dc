import { type Count, countJUnit, judge, sum } from './test-counts.ts'

export interface TestRun {
  /** How many processes run at a time. */
  readonly processes: number
  /** How many files a process runs at most. */
  readonly maxBatchFiles: number
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
  const remaining = [...files]
  const counts: Count[] = []
  const failed: string[] = []
  const runRemaining = async () => {
    while (remaining.length > 0) {
      const batch = remaining.splice(0, batchFiles(remaining.length, run))
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

/** The files of one process share what they import. The last processes get few files each, so that all end at about the same time. */
function batchFiles(remainingFiles: number, { processes, maxBatchFiles }: TestRun): number {
  return Math.min(maxBatchFiles, Math.ceil(remainingFiles / (2 * processes)))
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

/** On a busy machine, a command takes fifty times as long, and the time of a test includes that of those beside it. */
const TEST_TIMEOUT = '--timeout=180000'
