// test group: long
import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'
import { expectSegmentKillsLoseLittle } from '../support/kill-segments.ts'

test('A job that is killed three times keeps its durable bytes, and completes', async () => {
  await expectKillsLoseLittle(3, 20)
}, 300_000)

test('A large file that comes in segments loses about a second of each segment when the service is killed', async () => {
  await expectSegmentKillsLoseLittle(2, 3)
}, 300_000)
