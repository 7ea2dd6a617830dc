import { expect, test } from 'bun:test'
import { startHoldall } from '../support/executable.ts'

test('No garbage is collected before the first response', async () => {
  // The engine logs its collections. Those that it begins by itself, when little happens, come later than any start takes.
  const env = { BUN_JSC_logGC: '1', BUN_JSC_collectionTimerMaxPercentCPU: '0.00001' }
  await using holdall = await startHoldall({ env })
  const response = await fetch(`${holdall.address}/health`)
  expect(response.status).toBe(200)
  expect(holdall.output()).toContain('GC<')
  expect(holdall.output()).not.toContain('Collection')
})
