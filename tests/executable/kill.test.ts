// test group: long
import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'
import { expectSegmentKillsKeepRows } from '../support/kill-segments.ts'

test('A job that is killed three times keeps its durable bytes, and completes', async () => {
  await expectKillsLoseLittle(3, 20)
}, 300_000)

test('A large file that comes in segments keeps what is in the rows when the service is killed', async () => {
  await expectSegmentKillsKeepRows(2, 3)
}, 300_000)
