import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { monthOf } from '../../server/accounts/quota.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { cpuTimeRatio } from '../support/cpu-time.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { type Archive, userCreator } from '../support/user-creator.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const HOUR_MS = 3_600_000

describe('Usage', () => {
  test('is exact with 100,000 archives of the maximum size, and about as fast as with one per hour', () => {
    using dir = tempDir()
    using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
    const usage = openUsageStore(db)
    const userWith = userCreator(db)
    const count = 100_000
    const userId = userWith()
    const everyMs = (july.to - july.from) / count
    // An archive is stored every 26.784 seconds, until the end of the month.
    runSql(
      db,
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
})
