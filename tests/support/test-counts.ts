import { existsSync } from 'node:fs'

/** How many tests passed and failed. */
export interface Count {
  readonly passed: number
  readonly failed: number
}

const NONE: Count = { passed: 0, failed: 0 }

export function sum(counts: readonly Count[]): Count {
  const total = (of: keyof Count) => counts.reduce((so, count) => so + count[of], 0)
  return { passed: total('passed'), failed: total('failed') }
}

/** Counts from the JUnit report of `bun test`; zero if there is no report. */
export async function countJUnit(path: string): Promise<Count> {
  if (!existsSync(path)) return NONE
  const head = /<testsuites\b[^>]*>/.exec(await Bun.file(path).text())?.[0] ?? ''
  const of = (attribute: string) => Number(new RegExp(`\\b${attribute}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = of('failures') + of('errors')
  return { passed: of('tests') - failed - of('skipped'), failed }
}

/** Counts from Playwright's JSON report. A flaky test, which passed only in a second attempt, counts as failed. */
export async function countPlaywright(path: string): Promise<Count> {
  if (!existsSync(path)) return NONE
  const { stats } = await Bun.file(path).json()
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

/** Adds a failure if the runner failed without a failed test, or ran no test. */
export function judge(exitCode: number, count: Count): Count {
  const isBroken = (exitCode !== 0 && count.failed === 0) || count.passed + count.failed === 0
  return isBroken ? { ...count, failed: count.failed + 1 } : count
}
