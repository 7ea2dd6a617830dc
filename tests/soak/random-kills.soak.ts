import { expect, test } from 'bun:test'
import { runCrashSequence } from '../support/crash-sequence.ts'

const KILLS = 1_000
const STEPS = 100
const KILL_SHARE = 0.5

test(
  'After 1,000 kills at random moments, all responses, rows, files and archives are consistent',
  async () => {
    const firstSeed = Math.floor(Math.random() * 1_000_000)
    let kills = 0
    let jobs = 0
    for (let seed = firstSeed; kills < KILLS; seed++) {
      // Printed before the run, so that the same sequence can be run again.
      console.log(`seed ${seed}: ${kills} kills so far, ${jobs} jobs`)
      const done = await runCrashSequence(seed, STEPS, KILL_SHARE)
      kills += done.kills
      jobs += done.jobs
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS)
  },
  2 * 60 * 60_000,
)
