import { expect, test } from 'bun:test'
import { type Target, type Verdict, verdictOf } from './figure.ts'
import { summarize } from './statistics.ts'

const cases: [number[], Target | null, Verdict][] = [
  [[1.2], { atMost: 1.2 }, 'met'],
  [[1.21], { atMost: 1.2 }, 'missed'],
  [[200], { atLeast: 200 }, 'met'],
  [[199.9], { atLeast: 200 }, 'missed'],
  // The median counts, not the spread.
  [[1, 1.1, 9], { atMost: 1.2 }, 'met'],
  [[1], null, 'no target'],
  [[], { atMost: 1 }, 'not measured'],
]

test.each(cases)('The verdict on %p with the target %p is: %s', (values, target, verdict) => {
  expect(verdictOf({ summary: summarize(values), target })).toBe(verdict)
})
