import { expect, test } from 'bun:test'
import { verdictOf } from '../figure.ts'
import { summarize } from '../statistics.ts'
import { figureTable, timingTable } from './table.ts'

test('A table of figures has the median, the spread, the target and the verdict', () => {
  const figure = {
    title: 'W1',
    unit: 'x',
    summary: summarize([1.234, 1, 2]),
    target: { atMost: 1.2 },
    absence: null,
  } as const
  const absent = { ...figure, title: 'W2', summary: null, absence: 'not installed: nginx' }
  const judged = [figure, absent].map((each) => ({ ...each, verdict: verdictOf(each) }))
  expect(figureTable(judged)).toBe(
    `
| what | measured             | target        | verdict      |
| ---- | -------------------- | ------------- | ------------ |
| W1   | 1.23 x (1 to 2)      | at most 1.2 x | missed       |
| W2   | not installed: nginx | at most 1.2 x | not measured |`.trim(),
  )
})

test('A table of timings omits the spread of a single run', () => {
  const timing = {
    name: 'ceiling',
    seconds: summarize([0.01234]),
    ratioToCeiling: null,
    peakMB: summarize([123.4, 150.6]),
    archiveMB: summarize([1000]),
    absence: null,
  }
  expect(timingTable([timing])).toContain('| ceiling   | 0.0123 s |')
  expect(timingTable([timing])).toContain('| 137 MB (123 to 151) | 1000 MB |')
})
