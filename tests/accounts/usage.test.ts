import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { monthOf } from '../../server/accounts/quota.ts'
import { openUsageStore } from '../../server/accounts/usage-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { plansOf } from '../support/query-plans.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { userCreator } from '../support/user-creator.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const HOURS_OF_JULY = 31 * 24
const COUNT = 100_000

test('usage is exact with 100,000 archives of the maximum size, and reads a row per hour by an index', () => {
  using dir = tempDir()
  using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  const userId = userCreator(db)()
  const everyMs = (july.to - july.from) / COUNT
  // An archive is stored every 26.784 seconds, until the end of the month.
  runSql(
    db,
    sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
        INSERT INTO retention_periods (job_id, user_id, size_bytes, stored_at, removed_at)
        SELECT i, ${userId}, ${50e9} - i, ${july.from} + i * ${everyMs}, ${july.to} FROM n`,
  )
  let expected = 0n
  const now = july.to - 1_800_000
  for (let index = 0; index < COUNT; index++) {
    expected += BigInt(50e9 - index) * BigInt(Math.max(0, now - july.from - index * everyMs))
  }
  expect(openUsageStore(db).storedByteMs(userId, july.from, now)).toBe(expected)

  const read = plansOf(dir.file('holdall.db'), (connection) =>
    openUsageStore({ ...db, ...connection }).storedByteMs(userId, july.from, now),
  )
  expect(read).toEqual([
    'SEARCH usage_hours USING PRIMARY KEY (user_id=? AND hour<?)',
    'SEARCH usage_hours USING PRIMARY KEY (user_id=? AND hour>? AND hour<?)',
    'SEARCH retention_periods USING COVERING INDEX retention_periods_by_start (user_id=? AND stored_at>? AND stored_at<?)',
    'SEARCH retention_periods USING COVERING INDEX retention_periods_by_end (user_id=? AND removed_at>? AND removed_at<?)',
  ])
  expect(db.orm.get<[number]>(sql`SELECT count(*) FROM usage_hours`)[0]).toBeLessThanOrEqual(
    HOURS_OF_JULY + 1,
  )
})
