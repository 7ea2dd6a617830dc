import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'

test('A job that is killed at 30 random moments keeps its durable bytes, and completes', async () => {
  await expectKillsLoseLittle(30, 1)
}, 300_000)
