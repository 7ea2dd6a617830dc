import { expect, test } from 'bun:test'
import { runSegmentCases } from '../../support/segment-case.ts'

test('A large body that comes in segments is right or its URL fails, whatever the source does, in 50 random cases', async () => {
  const { wrong, right, divided } = await runSegmentCases(1, 50)
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(40)
  // The cases are about segments.
  expect(divided).toBeGreaterThan(15)
})
