import { expect, test } from 'bun:test'
import { runSegmentCases } from '../support/segment-case.ts'

const CASES = 10_000
const CASES_PER_STEP = 500

test(
  'A large body that comes in segments is right or its URL fails, whatever the source does, in 10,000 random cases',
  async () => {
    const firstSeed = Math.floor(Math.random() * 1_000_000)
    for (let done = 0; done < CASES; done += CASES_PER_STEP) {
      const seed = firstSeed + done
      const { wrong, right, divided } = await runSegmentCases(seed, CASES_PER_STEP)
      console.log(`seeds from ${seed}: ${right} right, ${divided} came in several stretches`)
      expect(wrong).toEqual([])
    }
  },
  60 * 60_000,
)
