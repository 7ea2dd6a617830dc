import { expect, test } from 'bun:test'
import { runEarlyCases } from '../support/early-case.ts'

const CASES = 1_000

test(
  'What is settled is the beginning of the finished archive, through stops, kills, gaps and duplicates, in 1,000 random cases',
  async () => {
    const firstSeed = Math.floor(Math.random() * 1_000_000)
    console.log(`seeds from ${firstSeed}`)
    const { wrong, settledShare } = await runEarlyCases(firstSeed, CASES)
    expect(wrong).toEqual([])
    expect(settledShare).toBeGreaterThan(0.5)
  },
  30 * 60_000,
)
