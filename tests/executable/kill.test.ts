// test group: long
import { test } from 'bun:test'
import { expectKillsLoseLittle } from '../support/kill-job.ts'

test('A job that is killed three times keeps its durable bytes, and completes', async () => {
  await expectKillsLoseLittle(3, 20)
}, 120_000)
