import { expect, test } from 'bun:test'
import { simulateDays } from '../support/schedule-year.ts'

test('ten days of a daily list: each run tells exactly what has changed, and fetches nothing else', async () => {
  const days = await simulateDays(60, 10, 7)
  expect(days).toHaveLength(10)
}, 180_000)
