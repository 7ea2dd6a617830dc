// test group: long
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { type ReplyBody, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

const MB = 1_000_000
const unique = () => crypto.randomUUID()
/** A body of 100 MB, whose first response stalls at this byte. */
const stalled = (atByte: number, etag = 'strong') =>
  `/bytes/${100 * MB}/large.bin?stall_at=${atByte}&times=1&etag=${etag}&last_modified=none&n=${unique()}`
const broken = (atByte: number) =>
  `/bytes/${100 * MB}/broken.bin?cut_at=${atByte}&etag=none&last_modified=none&n=${unique()}`

const archivesOf = (on: TestService) => `${on.dataDir}/archives`
const partOf = (jobId: string, on = service) => `${archivesOf(on)}/${jobId}.zip.part`
const filesOf = (jobId: string, on = service) =>
  readdirSync(archivesOf(on)).filter((name) => name.startsWith(jobId))
/** The disk space of all files of a job. */
const diskBytes = (jobId: string, on = service) =>
  filesOf(jobId, on).reduce((sum, name) => sum + statSync(`${archivesOf(on)}/${name}`).blocks * 512, 0)
/** The block size of the file system, to which files are rounded up. */
const BLOCK_BYTES = 4096

async function create(paths: readonly string[], on = service): Promise<string> {
  const urls = paths.map((path) => origin.url(path))
  return await on.createJob({ urls })
}

/** Creates a job, and waits until this many bytes of each body have been received. */
async function runningJob(paths: readonly string[], sizes: readonly number[], on = service): Promise<string> {
  const id = await create(paths, on)
  await until('so much of each body has arrived', async () => {
    const { entries = [] } = (await on.request('GET', `/jobs/${id}/entries`)).body
    return sizes.every((size, position) => (entries[position]?.size ?? 0) >= size)
  })
  return id
}

async function cancel(jobId: string, on = service): Promise<ReplyBody> {
  await on.request('POST', `/jobs/${jobId}/cancel`)
  return on.jobIn(jobId, ['failed'])
}

function expectDiskUseIsCounted(job: ReplyBody, on = service): void {
  expect(job.zip_size).toBeGreaterThan(0)
  expect(Math.abs(diskBytes(job.id, on) - job.zip_size)).toBeLessThanOrEqual(BLOCK_BYTES)
}

test('zip_size of a cancelled job includes the part of a large body that is kept', async () => {
  const id = await runningJob([stalled(20 * MB)], [20 * MB])
  const job = await cancel(id)
  expect(job.zip_size).toBeWithin(20 * MB, 20 * MB + BLOCK_BYTES)
  expectDiskUseIsCounted(job)
})

test('a cancel frees the disk space that a retry cannot use, and leaves no empty file', async () => {
  const none = await cancel(await runningJob([stalled(20 * MB, 'none')], [20 * MB]))
  expect([none.zip_size, none.file_count, filesOf(none.id)]).toEqual([0, 0, []])

  const some = await runningJob(['/bytes/50000/a.bin', stalled(20 * MB, 'none')], [50_000, 20 * MB])
  const job = await cancel(some)
  expect(job.file_count).toBe(1)
  expectDiskUseIsCounted(job)
  expect(statSync(partOf(some)).size).toBeLessThan(60_000)
})

test('zip_size of a job that failed with a large body cut off is the disk space that is kept', async () => {
  const [none, some] = await Promise.all([
    service.finishedJob([origin.url(broken(30 * MB))]),
    service.finishedJob([origin.url(broken(30 * MB)), origin.url('/bytes/50000/a.bin')]),
  ])
  expect([none.status, none.zip_size, filesOf(none.id)]).toEqual(['failed', 0, []])
  expect([some.status, some.file_count]).toEqual(['failed', 1])
  expectDiskUseIsCounted(some)
}, 180_000)

test('a checkpoint counts against the quota, and is deleted when the disk fills up', async () => {
  await using own = await startService()
  own.advanceToMidMonth()
  const usage = async () => (await own.request('GET', '/me')).body.usage.gb_days
  const id = await runningJob([stalled(20 * MB)], [20 * MB], own)
  const job = await cancel(id, own)
  own.stopClock()
  const began = await usage()
  own.advance(3_600_000)
  expect(await usage()).toBeCloseTo(began + job.zip_size / 1e9 / 24, 6)
  own.setFreeBytes(() => (existsSync(partOf(id, own)) ? 0 : 1e12))
  await own.app.sweeper.sweep(Date.now())
  expect(filesOf(id, own)).toEqual([])
  expect((await own.request('GET', `/jobs/${id}`)).body.job.zip_size).toBe(0)
})

test('after a kill, the disk space of a job is counted and trimmed, whether the job is cancelled or given up', async () => {
  await using own = await startService({ jobs: ['1'] })
  using db = new Database(join(own.dataDir, 'holdall.db'))
  const post = (path: string) => own.request('POST', path)
  // It is older than the other job, so it gets the only slot whenever both wait.
  const blocker = await runningJob([`/bytes/2000/a.bin?stall_at=1000&n=${unique()}`], [1000], own)
  await cancel(blocker, own)
  const id = await runningJob(['/bytes/50000/a.bin', stalled(20 * MB)], [50_000, 20 * MB], own)
  const kept = await cancel(id, own)
  await post(`/jobs/${blocker}/retry`)
  await own.jobIn(blocker, ['processing'])
  await post(`/jobs/${id}/retry`)
  /** Leaves the job as a kill does: with unrecorded bytes and a spool file, while its status is processing. */
  const simulateKill = async () => {
    truncateSync(partOf(id, own), statSync(partOf(id, own)).size + 100)
    writeFileSync(`${partOf(id, own)}.spool-1`, 'x'.repeat(5 * MB))
    db.run(`UPDATE jobs SET status = 'processing' WHERE id = '${id}'`)
    await own.restart()
    await own.jobIn(blocker, ['processing'])
  }
  await simulateKill()
  const cancelled = await cancel(id, own)
  expect(cancelled).toMatchObject({ zip_size: kept.zip_size, file_count: 1 })
  expectDiskUseIsCounted(cancelled, own)

  await post(`/jobs/${id}/retry`)
  await simulateKill()
  db.run(`UPDATE jobs SET crashes = 10 WHERE id = '${id}'`)
  await cancel(blocker, own)
  const givenUp = await own.jobIn(id, ['failed'])
  expect(givenUp).toMatchObject({ failure: { code: 'INTERNAL_ERROR' }, zip_size: kept.zip_size })
  expectDiskUseIsCounted(givenUp, own)
})

test('a running job leaves no files when its user is removed', async () => {
  await using own = await startService()
  const id = await runningJob(['/bytes/50000/a.bin', stalled(20 * MB)], [50_000, 20 * MB], own)
  using db = new Database(join(own.dataDir, 'holdall.db'))
  db.run('PRAGMA foreign_keys = ON')
  db.run('DELETE FROM users')
  await until('the files of the job are deleted', () => filesOf(id, own).length === 0)
})
