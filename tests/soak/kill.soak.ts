import { expect, test } from 'bun:test'
import { lostAtMostBytes, runWithKills } from '../support/kill-job.ts'

test('a job that is killed at 30 random moments keeps every finished byte', async () => {
  const startedMs = performance.now()
  const killed = await runWithKills(30, 1)
  const seconds = (performance.now() - startedMs) / 1000
  const bound = killed.zipBytes + lostAtMostBytes(killed, seconds)
  console.log(
    `archive ${killed.zipBytes} bytes, sent ${killed.sentBytes}, bound ${Math.floor(bound)}, ${seconds.toFixed(1)} s`,
  )
  expect(killed.sentBytes).toBeLessThan(bound)
}, 300_000)
