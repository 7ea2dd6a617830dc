import { expect, test } from 'bun:test'
import { openSnapshotStore } from '../../server/backup/snapshot-store.ts'
import { lockFile } from '../../server/data/file-lock.ts'
import { closeAsOneFile } from '../../server/db/close-as-one-file.ts'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { readArchivesDir } from '../../server/db/read-archives-dir.ts'
import { readUnused } from '../../server/db/unused.ts'
import { openDetailDeletions } from '../../server/jobs/deletion/detail-deletion-store.ts'
import { openBases } from '../../server/jobs/lifecycle/base-store.ts'
import type { JobToCreate } from '../../server/jobs/lifecycle/creation-store.ts'
import { editJob } from '../../server/jobs/lifecycle/edit-store.ts'
import { openLog } from '../../server/logging/log.ts'
import { MAX_FAILED_RUNS } from '../../server/schedules/schedule.ts'
import type { ScheduleColumns } from '../../server/schedules/schedule-store.ts'
import { openStores } from '../../server/stores.ts'
import { jobToCreate } from '../support/job-to-create.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { openRecordingDatabase, serverFiles, statementsOf } from '../support/statements.ts'
import { storedEntryAt } from '../support/stored-entry.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const FILES = await serverFiles()
const NOW = Date.UTC(2026, 6, 1)
const YEAR_MS = 366 * 86_400_000

test('every statement of the server runs once, so that SQLite refuses one with a wrong name', async () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  using recording = openRecordingDatabase(path)
  const { db } = recording
  const walk = walkOf(db)
  walk.accounts()
  await walk.lives()
  await walk.uploads()
  await walk.schedules()
  walk.notifiers()
  await walk.deletions()
  walk.removal()
  await walk.wholeDatabase(path, dir)
  expect(recording.missing(FILES.flatMap(({ path, text }) => statementsOf(path, text)))).toEqual([])
})

/** Calls all functions of the stores that make statements: what the tests of their subjects expect of them is not repeated here. */
function walkOf(db: Database) {
  const stores = openStores(db, () => {})
  const { accounts, transitions, checkpoints } = stores
  openBases(db, stores.jobs, () => NOW)
  const userId = accounts.owner(0).id
  const ann = accounts.createUser('ann', 'pro', 0)?.id ?? ''
  const digest = (text: string) => Buffer.from(text.padEnd(32))
  const key = (id: string) => ({ id, name: id, prefix: id, createdAt: 0, expiresAt: null })

  async function create(job: Partial<JobToCreate> = {}, urls = ['https://example.com/']): Promise<string> {
    const created = jobToCreate({ userId, createdAt: NOW, ...job })
    const sources = urls.map((url) => ({ url, filename: null }))
    await transitions.create(created, sources, {
      async nextTurn() {},
      assertAllowed() {},
      alongside(tx) {
        const { scheduleId } = created
        if (scheduleId !== null) stores.scheduleRuns.begun(tx, scheduleId, created.id, NOW)
      },
    })
    return created.id
  }

  async function claimed(job: Partial<JobToCreate> = {}) {
    await create(job)
    return claim()
  }

  function claim() {
    const run = transitions.claimOldest(userId, Infinity)
    if (run === null) throw new Error('there is no job to claim')
    return run
  }

  async function completed(job: Partial<JobToCreate> = {}) {
    const run = await claimed(job)
    expect(transitions.complete(run, { fileCount: 1, zipBytes: 1, changed: [] }, NOW)).toBeTrue()
    return run.jobId
  }

  async function failed(job: Partial<JobToCreate> = {}) {
    const run = await claimed(job)
    expect(transitions.fail(run, { code: 'URL_FAILED', message: 'x' }, 1, NOW)).toBeTrue()
    return run.jobId
  }

  function retry(jobId: string, skipFailed: boolean) {
    const options = { fromCheckpoint: true, skipFailed, replace: [] }
    return transitions.retry(userId, jobId, NOW, options)
  }

  return {
    accounts() {
      expect(accounts.rename(ann, 'anna')).toBeTrue()
      accounts.setPlan(ann, 'free')
      accounts.addSignInLink(ann, digest('link'), NOW + 1)
      expect(accounts.redeemSignInLink(digest('link'), { at: NOW, latest: NOW + 1 }, () => true)).toBeTrue()
      accounts.deleteExpiredSignInLinks(NOW)
      stores.usage.deleteSome(ann, NOW)

      expect(stores.apiKeys.addWithin(9, ann, digest('a'), key('a'))).toBeTrue()
      db.durably((tx) => stores.apiKeys.addSessionWithin(tx, 9, ann, digest('b'), key('b')))
      expect(stores.apiKeys.revoke(ann, 'a', NOW)).toBeTrue()
      stores.apiKeys.deleteSomeRevoked(NOW + 1)

      const site = { id: 'site', userId: ann, name: null, origin: 'https://example.com', headerNames: [] }
      const times = { createdAt: 0, expiresAt: null, lastUsedAt: null, refusedAt: null }
      const sealed = { includeSubdomains: false, isShared: false, sealed: Buffer.from('') }
      expect(stores.sites.addWithin(1, { ...site, ...times, ...sealed })).toBeTrue()
      expect(stores.sites.change(ann, 'site', { name: 'x' })).toBeTrue()
      stores.sites.recordUse('site', { lastUsedAt: NOW })
      expect(stores.sites.remove(ann, 'site')).toBeTrue()

      stores.instance.setTrustedTime(NOW)
      stores.instance.setArchivesDir('/elsewhere')
      stores.instance.setLastBackup({ at: NOW, sizeBytes: 1 })
    },

    /** From the creation of jobs to their end. */
    async lives() {
      const run = await claimed({ logins: { usesSites: false, headerNames: [], sealed: null } })
      transitions.countCrash(run)
      transitions.release(run, 0)
      transitions.releaseAbandoned(claim().jobId, 0)
      const again = claim()
      const counts = { fileCount: 1, zipBytes: 1, reusedCount: 0, warningCount: 0 }
      const changes = [
        { kind: 'put', entry: storedEntryAt(0, 0, 200) },
        { kind: 'move', move: { from: 0, to: 1, by: 1, movedBytes: 0, copyOffset: 0, copyBytes: 0 } },
        { kind: 'shift', from: 0, to: 1, by: 0 },
        { kind: 'settle', settledBytes: 1, places: [] },
      ] as const
      expect(checkpoints.commit(again, changes, counts, true)).toBeTrue()
      transitions.fail(again, { code: 'URL_FAILED', message: 'x' }, 1, NOW)
      expect(retry(again.jobId, false)).toEqual({ fromScratch: false })
      expect(transitions.cancel(userId, again.jobId, NOW)).toBeTrue()
      expect(retry(again.jobId, true)).toEqual({ fromScratch: false })
      expect(transitions.cancel(userId, again.jobId, NOW)).toBeTrue()
      expect(transitions.evictCheckpoint(NOW)?.jobId).toBe(again.jobId)
      expect(retry(again.jobId, false)).toEqual({ fromScratch: true })
      expect(transitions.cancel(userId, again.jobId, NOW)).toBeTrue()
      expect(transitions.delete(userId, again.jobId, NOW)).toBeTrue()

      const jobId = await completed({ holdsLink: false, linkId: again.jobId })
      const edit = { zipBasename: 'b', expiresInSeconds: 1 }
      expect(db.durably((tx) => editJob(tx, { jobId, userId }, edit, NOW))).toBeTrue()
      expect(transitions.expire(NOW + YEAR_MS).map((job) => job.jobId)).toContain(jobId)
    },

    async uploads() {
      const { uploads } = transitions
      const archive = { fileCount: 1, zipBytes: 1, changed: [] }
      for (const end of ['release', 'restart', 'complete'] as const) {
        const upload = uploads.begin(await claimed(), archive, `${end}.zip`)
        if (upload === null) throw new Error('the upload did not begin')
        uploads[end](upload, NOW)
        if (end !== 'complete') transitions.cancel(userId, upload.jobId, NOW)
      }
      stores.objectDeletions.remove(1)
      stores.fileDeletions.remove([1])
    },

    async schedules() {
      const schedule = { ...SCHEDULE, id: 'schedule', userId }
      const sources = [{ url: 'https://example.com/', filename: null }]
      expect(stores.schedules.addWithin(1, schedule, sources, await completed())).toBeTrue()
      expect(stores.schedules.change(schedule, sources)).toBeTrue()
      stores.schedules.setNextRun('schedule', NOW)
      await completed({ scheduleId: 'schedule' })
      const run = await failed({ scheduleId: 'schedule' })
      expect(retry(run, false)).not.toBeNull()
      db.durably((tx) => {
        stores.scheduleRuns.advance(tx, 'schedule', NOW, NOW + 1)
        const error = { code: 'QUOTA_EXCEEDED', message: 'x' }
        for (let runs = 0; runs < MAX_FAILED_RUNS; runs++)
          stores.scheduleRuns.refused(tx, 'schedule', error, NOW)
      })
      expect(stores.schedules.find('schedule')?.status).toBe('paused')
      expect(stores.schedules.remove('schedule', NOW, NOW)).toBeTrue()
    },

    notifiers() {
      const target = 'https://example.com/'
      const notifier = { id: 'notifier', userId, kind: 'webhook', target, origin: target } as const
      const rest = { events: ['job.failed'], secret: 'x', sealedToken: null, createdAt: 0 } as const
      expect(stores.notifiers.addWithin(1, { ...notifier, ...rest })).toBeTrue()
      expect(stores.notifiers.change(userId, 'notifier', { target })).toBeTrue()
      expect(stores.notifiers.rotate({ id: 'notifier', userId, secret: 'y', signsUntil: NOW })).toBeTrue()
      db.transaction((tx) => {
        stores.notifiers.enable(tx, 'notifier')
        stores.events.pinged(tx, 'delivery', notifier, NOW)
        stores.deliveries.restart(tx, 'delivery', NOW)
      })
      const attempted = { id: 'delivery', notifierId: 'notifier', attempts: 0 }
      const again = { status: 'pending', responseStatus: 500, error: null, nextAttemptAt: NOW } as const
      expect(stores.attempts.record(attempted, { ...again, isGone: true }, NOW)).toBe('gone')
      stores.attempts.failSomePending('notifier')
      db.transaction((tx) => stores.deliveries.restart(tx, 'delivery', NOW))
      const delivered = { ...again, status: 'delivered', nextAttemptAt: null, isGone: false } as const
      expect(stores.attempts.record(attempted, delivered, NOW)).toBeNull()
      expect(stores.notifiers.deleteSome('notifier')).toBeFalse()
      stores.deliveries.deleteSomeEvents(NOW)
    },

    async deletions() {
      const { expiredDetails } = stores
      const old = await completed()
      transitions.expire(NOW + YEAR_MS)
      expect(expiredDetails.markDetailsDeletable(NOW + YEAR_MS).map(({ jobId }) => jobId)).toContain(old)
      while (expiredDetails.deleteSome());
      expect(expiredDetails.deleteWithoutDetails(NOW + YEAR_MS).map(({ jobId }) => jobId)).toContain(old)
      for (let jobs = 0; jobs < 2; jobs++) await completed()
      transitions.expire(NOW + YEAR_MS)
      expect(expiredDetails.makeRoom(userId)).not.toBeEmpty()
      while (expiredDetails.deleteSome());
      expect(expiredDetails.makeRoom(userId)).not.toBeEmpty()

      const long = await create({}, Array<string>(700).fill(`https://example.com/${'x'.repeat(8_000)}`))
      transitions.delete(userId, long, NOW)
      const left = openDetailDeletions(db, transitions.isBeingWritten, openLog())
      await left.deletePending(new AbortController().signal)
    },

    removal() {
      const { userRemoval } = stores
      userRemoval.deleteSomeKeys(ann)
      userRemoval.deleteSchedule(ann)
      userRemoval.deleteSomeDeliveries(ann)
      userRemoval.deleteSomeJobs(ann)
      userRemoval.deleteSomeRetentionPeriods(ann)
      userRemoval.deleteUser(ann)
    },

    async wholeDatabase(path: string, dir: TempDir) {
      const kept = await completed()
      await failed()
      while (db.vacuumSome());
      expect(db.isReadable()).toBeTrue()
      db.useServiceBusyTimeout()
      db.copyTo(dir.file('copy.db'))
      expect(readArchivesDir(path)).toBe('/elsewhere')
      openDatabase(dir.file('new.db'), PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
      expect(readUnused(dir.file('new.db'))?.instanceId).toBeString()
      openDatabase(dir.file('new.db'), PROGRAM_FILES.migrationsDir)[Symbol.dispose]()
      lockFile(dir.file('lock'))?.[Symbol.dispose]()

      const snapshots = openSnapshotStore(db)
      snapshots.dropCheckpoints(NOW)
      snapshots.keepLocally(kept)
      snapshots.expire(kept, NOW)
      closeAsOneFile(db)
    },
  }
}

const SCHEDULE: Omit<ScheduleColumns, 'id' | 'userId'> = {
  name: 'x',
  status: 'active',
  pausedReason: null,
  interval: null,
  cron: '0 0 * * *',
  timeZone: 'UTC',
  nextRunAt: null,
  failedRuns: 0,
  keep: 1,
  reuses: false,
  onGone: 'fail',
  zipName: 'x',
  failOnUrlError: true,
  failOnWarning: false,
  hasManifest: false,
  metadata: {},
  usesSites: true,
  headerNames: [],
  sealedHeaders: null,
  asFiles: false,
  urlCount: 1,
  page: null,
  createdAt: 0,
}

test('stores name what makes statements as the search for them expects', () => {
  const otherNames = FILES.flatMap(({ path, text }) =>
    [
      ...text.matchAll(/(\w+): Tx\b/g),
      ...text.matchAll(/\.(?:transaction|durably|freeing)\(\(?(\w+)\)? =>/g),
      ...text.matchAll(/(?<!readonly )\borm: (\w+)/g),
      ...text.matchAll(/(\w+) = (?:\w+\.)*db\.orm\b(?!\s*\.)/g),
    ]
      .map(([, name = '']) => `${path}: ${name}`)
      .filter((found) => !/: _?tx$/.test(found)),
  )
  expect(otherNames).toEqual([])
})
