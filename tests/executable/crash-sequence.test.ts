// test group: long
import { expect, test } from 'bun:test'
import { runCrashSequence } from '../support/crash-sequence.ts'

const SEEDS = [2, 12]
const STEPS = 40

test.each(SEEDS)(
  'After any sequence of requests, expiries and kills, jobs, quota and files are consistent (seed %d)',
  async (seed) => {
    const { kills, jobs } = await runCrashSequence(seed, STEPS)
    expect(kills).toBeGreaterThan(3)
    expect(jobs).toBeGreaterThan(5)
  },
  240_000,
)
