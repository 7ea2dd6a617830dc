import { Database as Sqlite } from 'bun:sqlite'
import { expect } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from './service.ts'

interface JobRow {
  readonly id: string
  readonly user_id: string
  readonly status: string
  readonly zip_bytes: number
  readonly completed_at: number | null
  readonly expires_at: number | null
  readonly swept_at: number | null
  readonly failure_code: string | null
}
interface PeriodRow {
  readonly job_id: string
  readonly user_id: string
  readonly size_bytes: number
  readonly stored_at: number
  readonly removed_at: number
}

/** Expects that rows, counts and files of a data directory are consistent. No service may be running on it. */
export function checkData(dataDir: string): void {
  const path = join(dataDir, 'holdall.db')
  using sqlite = new Sqlite(path, { readonly: true, strict: true })
  expect(sqlite.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(sqlite.query('PRAGMA foreign_key_check').all()).toEqual([])
  for (const table of ['sources', 'entries']) {
    const orphans = sqlite.query(
      `SELECT DISTINCT job_id FROM ${table} WHERE job_id NOT IN (SELECT id FROM jobs)`,
    )
    expect([table, orphans.all()]).toEqual([table, []])
  }
  const undue =
    "SELECT id FROM notifier_deliveries WHERE (status = 'pending') <> (next_attempt_at IS NOT NULL)"
  expect(sqlite.query(undue).all()).toEqual([])
  const jobs = sqlite.query<JobRow, []>('SELECT * FROM jobs').all()
  const periods = sqlite.query<PeriodRow, []>('SELECT * FROM retention_periods').all()
  for (const job of jobs) expectColumnsOfStatus(job)
  expect(
    sqlite.query('SELECT user_id, status, total FROM job_counts WHERE total <> 0 ORDER BY 1, 2').all(),
  ).toEqual(
    sqlite.query('SELECT user_id, status, count(*) AS total FROM jobs GROUP BY 1, 2 ORDER BY 1, 2').all(),
  )
  // Each user has the sum of its rows, as the triggers count them.
  expect(sqlite.query('SELECT id, database_bytes AS bytes FROM users ORDER BY 1').all()).toEqual(
    sqlite
      .query(
        `SELECT id, (SELECT coalesce(sum(database_bytes), 0) FROM jobs WHERE user_id = users.id)
           + (SELECT coalesce(sum(database_bytes), 0) FROM notifier_events WHERE user_id = users.id)
           + 400 * (SELECT count(*) FROM retention_periods WHERE user_id = users.id)
           + (SELECT coalesce(sum(300 + octet_length(origin) + octet_length(header_names) + octet_length(sealed)
               + coalesce(octet_length(name), 0)), 0) FROM sites WHERE user_id = users.id) AS bytes
         FROM users ORDER BY 1`,
      )
      .all(),
  )
  expectRetention(jobs, periods)
  expectUsage(path, periods)
  expectFiles(join(dataDir, 'archives'), jobs)
}

/** Expects exactly the columns that `job.ts` gives to a job of this status. */
function expectColumnsOfStatus({ status, completed_at, expires_at, failure_code }: JobRow): void {
  const isCompleted = status === 'completed'
  const isFailed = status === 'failed'
  expect([status, completed_at !== null, failure_code !== null, expires_at !== null]).toEqual([
    status,
    isCompleted,
    isFailed,
    isCompleted || isFailed,
  ])
}

/**
 * Expects that each job counts against the quota with the size of its archive or checkpoint, and with nothing if it has
 * none.
 */
function expectRetention(jobs: readonly JobRow[], periods: readonly PeriodRow[]): void {
  const now = Date.now()
  for (const period of periods) expect(period.removed_at).toBeGreaterThanOrEqual(period.stored_at)
  for (const { id, status, zip_bytes, expires_at } of jobs) {
    const current = periods.filter((period) => period.job_id === id && period.removed_at > now)
    const hasEnded = status === 'completed' || status === 'failed'
    const usesStorage = hasEnded && zip_bytes > 0 && (expires_at ?? 0) > now
    expect(current.map(({ size_bytes, removed_at }) => [size_bytes, removed_at])).toEqual(
      usesStorage ? [[zip_bytes, expires_at ?? 0]] : [],
    )
  }
  const known = new Set(jobs.map(({ id }) => id))
  for (const period of periods)
    if (!known.has(period.job_id)) expect(period.removed_at).toBeLessThanOrEqual(now)
}

/** Expects that the usage of each user, which is computed from sums, equals the sum over all retention periods. */
function expectUsage(path: string, periods: readonly PeriodRow[]): void {
  using db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const now = Date.now()
  for (const userId of new Set(periods.map((period) => period.user_id))) {
    let byteMs = 0n
    for (const { user_id, size_bytes, stored_at, removed_at } of periods) {
      if (user_id === userId) byteMs += BigInt(size_bytes) * BigInt(Math.min(removed_at, now) - stored_at)
    }
    expect(openUsageStore(db).storedByteMs(userId, 0, now)).toBe(byteMs)
  }
}

/**
 * Expects that each archive that has not been swept has its full size, that the checkpoint of each failed job uses the
 * disk space in its row, and that every other file belongs to a job or marks the directory.
 */
function expectFiles(archives: string, jobs: readonly JobRow[]): void {
  const names = readdirSync(archives)
  const kept = jobs.filter((job) => job.swept_at === null)
  for (const { id, status, zip_bytes } of kept.filter((job) => job.status === 'completed')) {
    expect([id, status, statSync(join(archives, `${id}.zip`)).size]).toEqual([id, status, zip_bytes])
  }
  for (const { id, zip_bytes } of kept.filter((job) => job.status === 'failed')) {
    const files = names.filter((name) => name.startsWith(id)).map((name) => statSync(join(archives, name)))
    const diskBytes = files.reduce((sum, { size, blocks }) => sum + Math.min(size, blocks * 512), 0)
    expect([id, diskBytes]).toEqual([id, zip_bytes])
  }
  expect(unneeded(names, kept)).toEqual([])
}

/** The files in the archive directory that no job needs. The service may be running. */
export function unneededFiles(dataDir: string): string[] {
  // The names first: a job that is created meanwhile has its row before its files.
  const names = readdirSync(join(dataDir, 'archives'))
  using sqlite = new Sqlite(join(dataDir, 'holdall.db'), { readonly: true })
  return unneeded(
    names,
    sqlite.query<Pick<JobRow, 'id'>, []>('SELECT id FROM jobs WHERE swept_at IS NULL').all(),
  )
}

function unneeded(names: readonly string[], kept: readonly Pick<JobRow, 'id'>[]): string[] {
  const jobIds = new Set(kept.map(({ id }) => id))
  return names.filter((name) => !jobIds.has(name.slice(0, 36)) && !name.startsWith('holdall-'))
}
