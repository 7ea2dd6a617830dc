import { expect } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { startChangingSite } from './changing-site.ts'
import { createSchedule, runsOf } from './schedules.ts'
import { seededRandom } from './seeded-random.ts'
import { startService } from './service.ts'
import { until } from './until.ts'

/** What one day of a schedule has taken. */
export interface ScheduleDay {
  readonly runMs: number
  readonly databaseBytes: number
  readonly fetchedBytes: number
}

const DAY_MS = 86_400_000
const CHANGED_SHARE = 0.02
const VANISHED_SHARE = 0.01
const COMING_SHARE = 0.01
/** How long a file that has vanished stays on the list. */
const DAYS_ON_LIST = 7

/** A file of the site. */
interface SiteFile {
  readonly path: string
  version: number
  /** The day on which it vanished; null while it is there. */
  vanishedOn: number | null
}

/**
 * Lets days pass for a daily schedule of a list, of which some files change, vanish and come each day. Expects that each run tells
 * exactly what a model of the list says, and fetches nothing but what is new or changed.
 */
export async function simulateDays(urlCount: number, days: number, seed: number): Promise<ScheduleDay[]> {
  const random = seededRandom(seed)
  using site = startChangingSite()
  await using service = await startService()
  // Else the time of a run may come while a test that takes long runs, and a day has two.
  service.stopClock()
  const files: SiteFile[] = []
  let named = 0
  const contentOf = ({ path, version }: SiteFile) => `${path} in its version ${version}, ${'x'.repeat(200)}`
  const add = () => {
    const file = { path: `/file-${named++}.bin`, version: 1, vanishedOn: null }
    site.set(file.path, contentOf(file))
    files.push(file)
  }
  for (let count = 0; count < urlCount; count++) add()
  const urls = () => files.map(({ path }) => site.url(path))
  const { id } = await createSchedule(service, { urls: urls(), time_zone: 'UTC', every: 'day', keep: 3 })
  /** What the newest archive contains. */
  let archived = new Map<string, string>()
  const results: ScheduleDay[] = []

  for (let day = 0; day < days; day++) {
    if (day > 0) await passDay(day)
    service.advance(DAY_MS)
    const startedMs = performance.now()
    await service.app.scheduleTimer.runDue()
    const run = await endOfRun(day)
    const runMs = performance.now() - startedMs
    const expected = nextArchive()
    expect([day, run.status, run.changes]).toEqual([day, 'completed', expected.changes])
    const fetchedBytes = site.sentBytes()
    expect([day, fetchedBytes]).toEqual([day, expected.fetchedBytes])
    archived = expected.archive
    await service.app.sweeper.sweepNow()
    const kept = (await service.request('GET', `/schedules/${id}/runs?limit=4`)).body.runs
    const archives = await Promise.all(
      kept.map(
        async ({ job_id }: { job_id: string }) => (await service.request('GET', `/jobs/${job_id}`)).body.job,
      ),
    )
    expect(archives.map(({ download_url }) => download_url !== undefined)).toEqual(
      archives.map((_, index) => index < 3),
    )
    results.push({ runMs, fetchedBytes, databaseBytes: statSync(join(service.dataDir, 'holdall.db')).size })
  }
  return results

  /** Some files change, some vanish, and new ones come in place of those that vanished a week ago. */
  async function passDay(day: number): Promise<void> {
    const alive = files.filter(({ vanishedOn }) => vanishedOn === null)
    const take = (share: number) => alive.filter(() => random() < share)
    for (const file of take(CHANGED_SHARE)) {
      file.version++
      site.set(file.path, contentOf(file))
    }
    for (const file of take(VANISHED_SHARE)) {
      file.vanishedOn = day
      site.set(file.path, random() < 0.5 ? 404 : 410)
    }
    const staying = files.filter(({ vanishedOn }) => vanishedOn === null || vanishedOn > day - DAYS_ON_LIST)
    files.splice(0, files.length, ...staying)
    for (let count = 0; count < urlCount; count++) if (random() < COMING_SHARE) add()
    const { status } = await service.request('PATCH', `/schedules/${id}`, { body: { urls: urls() } })
    expect(status).toBe(200)
  }

  async function endOfRun(day: number) {
    return await until(`the run of day ${day} has ended`, async () => {
      const runs = await runsOf(service, id)
      expect(runs.length).toBe(Math.min(day + 1, 100))
      return runs[0].status !== 'running' && runs[0]
    })
  }

  /** The model: what the archive of today contains, and how it differs from that of yesterday. */
  function nextArchive() {
    const archive = new Map<string, string>()
    const changes = { added: 0, changed: 0, unchanged: 0, kept: 0, gone: 0 }
    let fetchedBytes = 0
    for (const file of files) {
      const before = archived.get(file.path)
      const now = file.vanishedOn === null ? contentOf(file) : undefined
      if (now === undefined && before === undefined) continue
      archive.set(file.path, now ?? before ?? '')
      if (now === undefined) changes.kept++
      else if (before === now) changes.unchanged++
      else {
        fetchedBytes += now.length
        if (before === undefined) changes.added++
        else changes.changed++
      }
    }
    for (const path of archived.keys()) if (!archive.has(path)) changes.gone++
    return { archive, changes, fetchedBytes }
  }
}
