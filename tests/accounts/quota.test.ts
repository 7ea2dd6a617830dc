import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { monthOf, toGbDays } from '../../server/accounts/quota.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { endRetention } from '../../server/jobs/lifecycle/retention-store.ts'
import { forFile } from '../support/for-file.ts'
import { plansOf } from '../support/query-plans.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Archive, userCreator } from '../support/user-creator.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (day: number, hour = 0) => Date.UTC(2026, 6, day, hour)

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const usage = openUsageStore(db)
const userWith = userCreator(db)
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
    db.transaction((tx) => endRetention(tx, `${userId} 0`, at(12)))
    expect(gbDays(userId, at(20))).toBe(2)
    db.transaction((tx) => endRetention(tx, `${userId} 0`, at(25)))
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
        db.transaction((tx) =>
          periods.forEach(({ sizeBytes, storedAt, lastsMs, endsEarlyAfterMs }, index) => {
            if (endsEarlyAfterMs !== null) endRetention(tx, `${userId} ${index}`, storedAt + endsEarlyAfterMs)
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
})
