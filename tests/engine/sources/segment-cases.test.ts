import { expect, test } from 'bun:test'
import { runSegmentCases } from '../../support/segment-case.ts'

test('A large body that comes in segments is right or its URL fails, whatever the source does, in 150 random cases', async () => {
  const { wrong, right, divided } = await runSegmentCases(1, 150)
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(130)
  // The cases are about segments.
  expect(divided).toBeGreaterThan(50)
}, 120_000)
