import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'
import { expectSegmentKillsKeepRows } from '../support/kill-segments.ts'

test('A job that is killed at 30 random moments keeps its durable bytes, and completes', async () => {
  await expectKillsLoseLittle(30, 1)
}, 300_000)

test('A large file that comes in segments keeps what is in the rows at each of 30 kills', async () => {
  await expectSegmentKillsKeepRows(30, 2)
}, 600_000)
