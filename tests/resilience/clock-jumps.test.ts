import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { startService, type TestService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const JUMP_MS = 20 * DAY_MS

/** Creates an archive that expires in an hour, after a sweep at the correct time. */
async function createArchive(service: TestService) {
  await using sources = startSources()
  await service.app.sweeper.sweepNow()
  const job = await service.finishedJob([sources.url('/ok/a')], { expires_in: 3600 })
  return {
    exists: () => existsSync(`${service.dataDir}/archives/${job.id}.zip`),
    async download() {
      const { pathname } = new URL(job.download_url)
      const response = await fetch(service.origin + pathname)
      const text = await response.text()
      return response.status === 200 ? 200 : JSON.parse(text).error.code
    },
  }
}

const warnings = (service: TestService) =>
  service.logged.filter((line) => line.includes('the clock is ahead'))

test('after the clock jumps ahead, nothing is deleted for an hour, and then everything that has expired', async () => {
  await using service = await startService()
  const archive = await createArchive(service)
  service.setClockAhead(JUMP_MS)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(true)
  expect(warnings(service)).toHaveLength(1)
  expect(await archive.download()).toBe('EXPIRED_TOKEN')

  // A minute is more than the test itself takes.
  service.advance(HOUR_MS - MINUTE_MS)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(true)
  service.advance(MINUTE_MS)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(false)
  expect(warnings(service)).toHaveLength(1)
})

test('when the clock is corrected within the hour, archives can be downloaded again', async () => {
  await using service = await startService()
  const archive = await createArchive(service)
  service.setClockAhead(JUMP_MS)
  await service.app.sweeper.sweepNow()
  service.setClockAhead(-JUMP_MS)
  await service.app.sweeper.sweepNow()
  expect(await archive.download()).toBe(200)
  service.advance(2 * HOUR_MS)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(false)
})

test('a start at which the clock is far ahead of the last run also deletes nothing for an hour, even after several starts', async () => {
  await using service = await startService()
  const archive = await createArchive(service)
  service.setClockAhead(JUMP_MS)
  for (let start = 1; start <= 2; start++) {
    await service.restart()
    await service.app.sweeper.sweepNow()
    expect(archive.exists()).toBe(true)
    expect(warnings(service)).toHaveLength(start)
    service.advance(HOUR_MS / 2)
  }
  service.advance(HOUR_MS / 2)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(false)
})

test('elapsed time, a short stop and a clock that is set back do not count as a jump ahead', async () => {
  await using service = await startService()
  const archive = await createArchive(service)
  service.setClockAhead(-JUMP_MS)
  await service.app.sweeper.sweepNow()
  service.setClockAhead(4 * MINUTE_MS)
  await service.restart()
  await service.app.sweeper.sweepNow()
  expect(warnings(service)).toEqual([])
  service.advance(JUMP_MS + 2 * HOUR_MS)
  await service.app.sweeper.sweepNow()
  expect(archive.exists()).toBe(false)
  expect(warnings(service)).toEqual([])
})
