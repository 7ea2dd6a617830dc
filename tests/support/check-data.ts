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

/** Expects a data directory that no service runs on to hold together: rows, what is counted of them, and files. */
export function checkData(dataDir: string): void {
  const path = join(dataDir, 'holdall.db')
  using sqlite = new Sqlite(path, { readonly: true, strict: true })
  expect(sqlite.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(sqlite.query('PRAGMA foreign_key_check').all()).toEqual([])
  const jobs = sqlite.query<JobRow, []>('SELECT * FROM jobs').all()
  const periods = sqlite.query<PeriodRow, []>('SELECT * FROM retention_periods').all()
  for (const job of jobs) expectState(job)
  expect(
    sqlite.query('SELECT user_id, status, total FROM job_counts WHERE total <> 0 ORDER BY 1, 2').all(),
  ).toEqual(
    sqlite.query('SELECT user_id, status, count(*) AS total FROM jobs GROUP BY 1, 2 ORDER BY 1, 2').all(),
  )
  expectRetention(jobs, periods)
  expectUsage(path, periods)
  expectFiles(join(dataDir, 'archives'), jobs)
}

/** The columns that each state of the table in `job.ts` has, and those that it must not have. */
function expectState({ status, completed_at, expires_at, failure_code }: JobRow): void {
  const isCompleted = status === 'completed'
  const isFailed = status === 'failed'
  expect([status, completed_at !== null, failure_code !== null, expires_at !== null]).toEqual([
    status,
    isCompleted,
    isFailed,
    isCompleted || isFailed,
  ])
}

/** What a job takes of the quota now is what it holds: its archive, its checkpoint, or nothing. */
function expectRetention(jobs: readonly JobRow[], periods: readonly PeriodRow[]): void {
  const now = Date.now()
  for (const period of periods) expect(period.removed_at).toBeGreaterThanOrEqual(period.stored_at)
  for (const { id, status, zip_bytes, expires_at } of jobs) {
    const lasting = periods.filter((period) => period.job_id === id && period.removed_at > now)
    const hasEnded = status === 'completed' || status === 'failed'
    const holds = hasEnded && zip_bytes > 0 && (expires_at ?? 0) > now
    expect(lasting.map(({ size_bytes, removed_at }) => [size_bytes, removed_at])).toEqual(
      holds ? [[zip_bytes, expires_at ?? 0]] : [],
    )
  }
  const known = new Set(jobs.map(({ id }) => id))
  for (const period of periods)
    if (!known.has(period.job_id)) expect(period.removed_at).toBeLessThanOrEqual(now)
}

/** The usage that is asked for is the sum over the periods, one by one. */
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
 * Each archive that has not been swept is there, whole; a failed job holds what its row says; nothing is there that no
 * job owns, but for what says whose the directory is.
 */
function expectFiles(archives: string, jobs: readonly JobRow[]): void {
  const names = readdirSync(archives)
  const kept = jobs.filter((job) => job.swept_at === null)
  for (const { id, status, zip_bytes } of kept.filter((job) => job.status === 'completed')) {
    expect([id, status, statSync(join(archives, `${id}.zip`)).size]).toEqual([id, status, zip_bytes])
  }
  for (const { id, zip_bytes } of kept.filter((job) => job.status === 'failed')) {
    const files = names.filter((name) => name.startsWith(id)).map((name) => statSync(join(archives, name)))
    const takenBytes = files.reduce((sum, { size, blocks }) => sum + Math.min(size, blocks * 512), 0)
    expect([id, takenBytes]).toEqual([id, zip_bytes])
  }
  const owners = new Set(kept.map(({ id }) => id))
  const strangers = names.filter((name) => !owners.has(name.slice(0, 36)))
  expect(strangers.filter((name) => !name.startsWith('holdall-'))).toEqual([])
}
