import { expect, test } from 'bun:test'
import { startChangingSite } from '../support/changing-site.ts'
import { begunRuns, multiplySchedules } from '../support/schedule-rush.ts'
import { createSchedule } from '../support/schedules.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const USERS = 10
/** Those that are watched, of a thousand. */
const WATCHED = 15
/** Two runs begin at least 200 ms apart, and times are whole milliseconds. */
const SPACING_MS = 199

test('A thousand schedules that are due at the start begin one after another, of each user in turn, and others are served meanwhile', async () => {
  using site = startChangingSite()
  site.set('/a', 'the file')
  await using service = await startService()
  for (let count = 0; count < USERS; count++)
    await createSchedule(service, { urls: [site.url('/a')] }, await service.addUser())
  await service.whileStopped(async () => multiplySchedules(service.dataDir, 99, Date.now()))

  let healthy = 0
  const haveBegun = async () => {
    const { status } = await fetch(`${service.origin}/health`)
    expect(status).toBe(200)
    healthy++
    return begunRuns(service.dataDir).length >= WATCHED
  }
  await until(`${WATCHED} runs have begun`, haveBegun, { everyMs: 10 })
  expect(await service.finishedJob([site.url('/a')])).toMatchObject({ status: 'completed' })
  const runs = begunRuns(service.dataDir)
  expect(new Set(runs.slice(0, USERS).map(({ userId }) => userId)).size).toBe(USERS)
  const gapsMs = runs.slice(1).map(({ createdAt }, index) => createdAt - (runs[index]?.createdAt ?? 0))
  expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(SPACING_MS)
  expect(healthy).toBeGreaterThanOrEqual(WATCHED)
}, 180_000)
