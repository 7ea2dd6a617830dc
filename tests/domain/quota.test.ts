import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { monthOf, toGbDays } from '../../server/accounts/quota.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openRetentionStore } from '../../server/jobs/retention-store.ts'
import { cpuTimeRatio } from '../support/cpu-time.ts'
import { firstMigrations } from '../support/first-migrations.ts'
import { forFile } from '../support/for-file.ts'
import { plansOf } from '../support/query-plans.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (day: number, hour = 0) => Date.UTC(2026, 6, day, hour)

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const accounts = openAccountStore(db)
const usage = openUsageStore(db)
const retention = openRetentionStore(db)
let users = 0

type Archive = readonly [sizeBytes: number, storedAt: number, removedAt: number]

/** A new user with these archives. */
function userWith(...archives: readonly Archive[]): string {
  const user = accounts.createUser(`user ${users++}`, 'pro', 0)
  if (user === null) throw new Error('the name is taken')
  db.transaction(() => {
    archives.forEach(([sizeBytes, storedAt, removedAt], index) => {
      retention.begin({ jobId: `${user.id} ${index}`, userId: user.id, sizeBytes, storedAt, removedAt })
    })
  })
  return user.id
}
const gbDays = (userId: string, now: number) => toGbDays(usage.storedByteMs(userId, july.from, now))

test('a month is a calendar month in UTC', () => {
  expect(july).toEqual({ name: '2026-07', from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) })
  expect(monthOf(Date.UTC(2026, 11, 31, 23, 59)).to).toBe(Date.UTC(2027, 0, 1))
})

describe('Usage', () => {
  test('is the size of each archive times the days until its removal', () => {
    expect(gbDays(userWith([2e9, at(1), at(4)], [1e9, at(1), at(1, 12)]), at(20))).toBe(6.5)
  })

  test('counts only time that has passed', () => {
    expect(gbDays(userWith([1e9, at(10), at(30)]), at(12))).toBe(2)
    expect(gbDays(userWith([1e9, at(20), at(30)]), at(12))).toBe(0)
  })

  test('counts only time within the month', () => {
    expect(gbDays(userWith([1e9, Date.UTC(2026, 5, 20), Date.UTC(2026, 7, 20)]), july.to)).toBe(31)
  })

  test('stops growing when an archive is deleted, and never shrinks', () => {
    const userId = userWith([1e9, at(10), at(30)])
    db.transaction(() => retention.end(`${userId} 0`, at(12)))
    expect(gbDays(userId, at(20))).toBe(2)
    db.transaction(() => retention.end(`${userId} 0`, at(25)))
    expect(gbDays(userId, at(28))).toBe(2)
  })

  test('is exact to the byte and the millisecond, for all sizes and times of deletion', () => {
    const time = fc.integer({ min: Date.UTC(2026, 5, 15), max: july.to })
    const period = fc.record({
      sizeBytes: fc.integer({ min: 1, max: 1e15 }),
      storedAt: time,
      // Some start and end within the same hour or millisecond.
      lastsMs: fc.oneof(fc.integer({ min: 0, max: 2 * HOUR_MS }), fc.integer({ min: 0, max: 60 * DAY_MS })),
      endsEarlyAfterMs: fc.option(fc.integer({ min: 0, max: 3 * HOUR_MS })),
    })
    const now = fc.integer({ min: july.from, max: july.to })
    fc.assert(
      fc.property(fc.array(period, { maxLength: 20 }), now, (periods, at) => {
        const userId = userWith(
          ...periods.map((s): Archive => [s.sizeBytes, s.storedAt, s.storedAt + s.lastsMs]),
        )
        let expected = 0n
        db.transaction(() =>
          periods.forEach(({ sizeBytes, storedAt, lastsMs, endsEarlyAfterMs }, index) => {
            if (endsEarlyAfterMs !== null) retention.end(`${userId} ${index}`, storedAt + endsEarlyAfterMs)
            const removedAt = storedAt + Math.min(lastsMs, endsEarlyAfterMs ?? lastsMs)
            const storedMs = Math.min(removedAt, at) - Math.max(storedAt, july.from)
            expected += BigInt(sizeBytes) * BigInt(Math.max(0, storedMs))
          }),
        )
        expect(usage.storedByteMs(userId, july.from, at)).toBe(expected)
      }),
      { numRuns: 100 },
    )
  })

  test('is exact with 100,000 archives of the maximum size, and about as fast as with one per hour', () => {
    const count = 100_000
    const userId = userWith()
    const everyMs = (july.to - july.from) / count
    // An archive is stored every 26.784 seconds, until the end of the month.
    db.orm.run(
      sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
          INSERT INTO retention_periods (job_id, user_id, size_bytes, stored_at, removed_at)
          SELECT i, ${userId}, ${50e9} - i, ${july.from} + i * ${everyMs}, ${july.to} FROM n`,
    )
    let expected = 0n
    const now = july.to - 1_800_000
    for (let index = 0; index < count; index++) {
      expected += BigInt(50e9 - index) * BigInt(Math.max(0, now - july.from - index * everyMs))
    }
    expect(usage.storedByteMs(userId, july.from, now)).toBe(expected)

    const hours = Array.from({ length: (july.to - july.from) / HOUR_MS }, (_, hour) => hour * HOUR_MS)
    const hourlyUserId = userWith(...hours.map((ms): Archive => [50e9, july.from + ms, july.to]))
    const readTenTimes = (id: string) => () => {
      for (let time = 0; time < 10; time++) usage.storedByteMs(id, july.from, now)
    }
    expect(cpuTimeRatio(readTenTimes(userId), readTenTimes(hourlyUserId))).toBeLessThan(3)
  })

  test('is read from sums per hour, and only the retention periods that start or end in the current hour', () => {
    const plans = plansOf(dir.file('holdall.db'), (connection) =>
      openUsageStore({ ...db, ...connection }).storedByteMs('a user', july.from, at(20)),
    )
    expect(plans).toEqual([
      'SEARCH usage_hours USING PRIMARY KEY (user_id=? AND hour<?)',
      'SEARCH usage_hours USING PRIMARY KEY (user_id=? AND hour>? AND hour<?)',
      'SEARCH retention_periods USING COVERING INDEX retention_periods_by_start (user_id=? AND stored_at>? AND stored_at<?)',
      'SEARCH retention_periods USING COVERING INDEX retention_periods_by_end (user_id=? AND removed_at>? AND removed_at<?)',
    ])
  })

  test.each([
    ['before there were sums per hour', 3],
    ['before retention periods had their present name', 7],
  ])('is the same to the byte in a database from %s', (_, migrationCount) => {
    using older = tempDir()
    const path = older.file('holdall.db')
    const archives: Archive[] = [
      [1e15 + 1, at(1), at(9, 1) + 7],
      [50e9, at(2) + 5, Date.UTC(2026, 8, 1)],
    ]
    const migrations = firstMigrations(migrationCount, older.file('migrations'))
    {
      using before = openDatabase(path, migrations)
      before.orm.run(sql`INSERT INTO users (id, name, plan, created_at) VALUES ('ann', 'ann', 'pro', 0)`)
      for (const [sizeBytes, storedAt, removedAt] of archives) {
        before.orm.run(
          sql`INSERT INTO archive_stays (job_id, user_id, size_bytes, stored_at, removed_at)
              VALUES ('job', 'ann', ${sizeBytes}, ${storedAt}, ${removedAt})`,
        )
      }
    }
    using now = openDatabase(path, PROGRAM_FILES.migrationsDir)
    const expected = archives.map(([size, from, to]) => BigInt(size) * BigInt(Math.min(to, at(20)) - from))
    expect(openUsageStore(now).storedByteMs('ann', july.from, at(20))).toBe(
      expected.reduce((sum, byteMs) => sum + byteMs, 0n),
    )
    now.transaction(() => openRetentionStore(now).end('job', at(15)))
    expect(openUsageStore(now).storedByteMs('ann', july.from, at(20))).toBe(
      archives.reduce(
        (sum, [size, from, to]) => sum + BigInt(size) * BigInt(Math.min(to, at(15)) - from),
        0n,
      ),
    )
  })
})
