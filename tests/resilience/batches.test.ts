import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { DEFAULT_PLANS } from '../../server/accounts/plan.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { removeUser } from '../../server/admin/remove-user.ts'
import { openUserRemovalStore } from '../../server/admin/user-removal-store.ts'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { openExpiredDetails } from '../../server/jobs/deletion/deletion-store.ts'
import { beginRetention } from '../../server/jobs/lifecycle/retention-store.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { openApiKeyStore } from '../../server/keys/api-key-store.ts'
import { openDeliveryStore } from '../../server/notifiers/delivery-store.ts'
import { openRowCleanup } from '../../server/scheduling/row-cleanup.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { insertFailedJobs } from '../support/many-jobs.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { plansOf } from '../support/query-plans.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 6, 1)
/** The most rows that one transaction may change: the largest job has 5,000 sources and as many entries. */
const MAX_ROWS = 11_000

/** Failed jobs that have just expired. */
const addJobs = (db: Database, userId: string, jobCount: number, urlCount: number) =>
  insertFailedJobs(db, userId, { jobCount, urlCount, expiresAt: NOW - 1 })

function rowCleanupOf(db: Database) {
  const accounts = openAccountStore(db)
  const cleanup = openRowCleanup({
    db,
    accounts,
    usage: openUsageStore(db),
    apiKeys: openApiKeyStore(db),
    details: openExpiredDetails(db),
    deliveries: openDeliveryStore(db),
    live: { changed() {} },
    keepDetailsDays: 30,
    plans: DEFAULT_PLANS,
  })
  return (now: number) => cleanup(now, new AbortController().signal)
}

test('expiry, row cleanup and the removal of a user change a limited number of rows per transaction', async () => {
  using dir = tempDir()
  using counting = countingDatabase(dir.file('holdall.db'))
  const { db } = counting
  const accounts = openAccountStore(db)
  const ids = ['ann', 'bob'].map((name) => accounts.createUser(name, 'pro', 0)?.id ?? '')
  for (const id of ids) addJobs(db, id, 3, 5_000)
  const bob = ids[1] ?? ''
  const transitions = openTransitions(db)
  counting.takeMaxRows()
  while (transitions.expire(NOW).length > 0) {}
  expect(counting.takeMaxRows()).toBeWithin(5_000, MAX_ROWS)

  await rowCleanupOf(db)(NOW + 31 * DAY_MS)
  expect(counting.takeMaxRows()).toBeLessThan(MAX_ROWS)
  expect(db.orm.get(sql`SELECT count(*) FROM sources`)).toEqual([0])

  const carol = accounts.createUser('carol', 'pro', 0)?.id ?? ''
  addJobs(db, carol, 2, 5_000)
  db.transaction((tx) => {
    for (let n = 0; n < 5_000; n++)
      beginRetention(tx, { jobId: 'x', userId: carol, sizeBytes: 1, storedAt: n, removedAt: n + 1 })
  })
  counting.takeMaxRows()
  const deleted: string[] = []
  await removeUser(carol, {
    removal: openUserRemovalStore(db),
    transitions,
    clock: () => NOW,
    halt: async () => {},
    deleteFiles: async (jobId) => void deleted.push(jobId),
  })
  expect(counting.takeMaxRows()).toBeLessThan(2_000)
  expect(deleted).toEqual([`${carol}000000`, `${carol}000001`])
  expect(accounts.listUsers().map(({ name }) => name)).not.toContain('carol')
  expect(openJobQueries(db).counts(bob)).toMatchObject({ failed: 3 })
})

test('row cleanup finds rows to delete by an index', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  using db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const plans = plansOf(path, (connection) => {
    const details = openExpiredDetails({ ...db, ...connection })
    details.markDetailsDeletable(NOW)
    details.deleteSome()
    details.deleteWithoutDetails(NOW)
  })
  expect(plans).toEqual([
    'SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (id=?)',
    'LIST SUBQUERY 1',
    'SEARCH jobs USING INDEX jobs_to_forget (details=? AND expires_at<?)',
    'SEARCH jobs USING INDEX jobs_to_forget (details=?)',
    'SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (id=?)',
    'LIST SUBQUERY 1',
    'SEARCH jobs USING INDEX jobs_to_forget (details=? AND expires_at<?)',
  ])
})

test('room for a user is made by the ids of their oldest jobs, however many others are as old', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  using db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const userId = openAccountStore(db).createUser('ann', 'pro', 0)?.id ?? ''
  addJobs(db, userId, 2, 1)
  const transitions = openTransitions(db)
  while (transitions.expire(NOW).length > 0) {}
  const details = openExpiredDetails(db)
  const made: number[] = []
  const plans = plansOf(path, (connection) => {
    const { makeRoom } = openExpiredDetails({ ...db, ...connection })
    // Their details are marked, and when these are deleted, the jobs themselves.
    made.push(makeRoom(userId).length, makeRoom(userId).length)
    while (details.deleteSome()) {}
    made.push(makeRoom(userId).length, makeRoom(userId).length)
  })
  expect(made).toEqual([2, 0, 2, 0])
  const oldest = 'SEARCH jobs USING INDEX jobs_newest_first (user_id=?)'
  expect(plans).toEqual([
    oldest,
    'SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (id=?)',
    oldest,
    oldest,
    'SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (id=?)',
    oldest,
  ])
})

test('the space of deleted rows is returned to the disk', async () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  using db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const userId = openAccountStore(db).createUser('ann', 'pro', 0)?.id ?? ''
  addJobs(db, userId, 20, 5_000)
  const sizeBytes = () => {
    db.orm.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    return statSync(path).size
  }
  const full = sizeBytes()
  const transitions = openTransitions(db)
  while (transitions.expire(NOW).length > 0) {}
  await rowCleanupOf(db)(NOW + 31 * DAY_MS)
  // Up to 4 MB stay allocated for new rows.
  expect(sizeBytes()).toBeLessThan(Math.min(full / 2, 6_000_000))
})

test('the usage of this month stays exactly the same when older rows are deleted', () => {
  using dir = tempDir()
  using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  const userId = openAccountStore(db).createUser('ann', 'pro', 0)?.id ?? ''
  const usage = openUsageStore(db)
  const periods = Array.from({ length: 3_000 }, (_, n) => {
    const storedAt = NOW - 200 * DAY_MS + n * 7_654_321
    return { sizeBytes: 50e9 - n, storedAt, removedAt: storedAt + 10 * DAY_MS + n }
  })
  db.transaction((tx) => {
    for (const period of periods) beginRetention(tx, { jobId: 'x', userId, ...period })
  })
  const inMonth = () =>
    [0, 1, 20].map((days) => usage.storedByteMs(userId, NOW, NOW + days * DAY_MS + HOUR_MS / 3))
  const before = inMonth()
  for (const time of [NOW - 100 * DAY_MS, NOW - 62 * DAY_MS]) {
    while (usage.deleteSome(userId, time)) {}
    expect(inMonth()).toEqual(before)
  }
  const [left] = db.orm.get<[number]>(sql`SELECT min(removed_at) FROM retention_periods`)
  expect(left).toBeGreaterThanOrEqual(NOW - 62 * DAY_MS)
  expect(
    db.orm.get(sql`SELECT count(*) FROM usage_hours WHERE hour < ${(NOW - 62 * DAY_MS) / HOUR_MS}`),
  ).toEqual([1])
})
