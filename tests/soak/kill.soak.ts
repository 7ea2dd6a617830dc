import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'
import { expectSegmentKillsLoseLittle } from '../support/kill-segments.ts'

test('A job that is killed at 30 random moments keeps its durable bytes, and completes', async () => {
  console.log(await expectKillsLoseLittle(30, 1))
}, 300_000)

test('A large file that comes in segments loses about a second of each segment at each of 30 kills', async () => {
  console.log(await expectSegmentKillsLoseLittle(30, 2))
}, 600_000)
