import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type AccountStore, openAccountStore } from '../../server/accounts/account-store.ts'
import { monthOf, toGbDays } from '../../server/accounts/quota.ts'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { beginStay, endStays } from '../../server/jobs/stay-store.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const july = monthOf(Date.UTC(2026, 6, 15))
const at = (day: number, hour = 0) => Date.UTC(2026, 6, day, hour)

let dir: TempDir
let db: Database
let accounts: AccountStore
let users = 0

beforeAll(() => {
  dir = tempDir()
  db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  accounts = openAccountStore(db)
})
afterAll(() => {
  db[Symbol.dispose]()
  dir[Symbol.dispose]()
})

type Archive = readonly [sizeBytes: number, storedAt: number, removedAt: number]

/** A new user with these archives. */
function userWith(...archives: readonly Archive[]): string {
  const user = accounts.createUser(`user ${users++}`, 'pro', 0)
  if (user === null) throw new Error('the name is taken')
  db.transaction(() => {
    archives.forEach(([sizeBytes, storedAt, removedAt], index) => {
      beginStay(db, { jobId: `${user.id} ${index}`, userId: user.id, sizeBytes, storedAt, removedAt })
    })
  })
  return user.id
}
const gbDays = (userId: string, now: number) => toGbDays(accounts.storedByteMs(userId, july.from, now))

test('a month is one of the calendar, in UTC', () => {
  expect(july).toEqual({ name: '2026-07', from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) })
  expect(monthOf(Date.UTC(2026, 11, 31, 23, 59)).to).toBe(Date.UTC(2027, 0, 1))
})

describe('Usage', () => {
  test('is size times days, up to the removal of each archive', () => {
    expect(gbDays(userWith([2e9, at(1), at(4)], [1e9, at(1), at(1, 12)]), at(20))).toBe(6.5)
  })

  test('counts up to now and not ahead', () => {
    expect(gbDays(userWith([1e9, at(10), at(30)]), at(12))).toBe(2)
    expect(gbDays(userWith([1e9, at(20), at(30)]), at(12))).toBe(0)
  })

  test('counts only what lies in the month', () => {
    expect(gbDays(userWith([1e9, Date.UTC(2026, 5, 20), Date.UTC(2026, 7, 20)]), july.to)).toBe(31)
  })

  test('stops when the bytes go, and never turns back', () => {
    const userId = userWith([1e9, at(10), at(30)])
    db.transaction(() => endStays(db, `${userId} 0`, at(12)))
    expect(gbDays(userId, at(20))).toBe(2)
    db.transaction(() => endStays(db, `${userId} 0`, at(25)))
    expect(gbDays(userId, at(28))).toBe(2)
  })

  test('is exact to the byte and the millisecond, whatever the sizes', () => {
    const time = fc.integer({ min: Date.UTC(2026, 5, 15), max: Date.UTC(2026, 7, 15) })
    const archive = fc.tuple(fc.integer({ min: 1, max: 1e15 }), time, time)
    fc.assert(
      fc.property(fc.array(archive, { maxLength: 20 }), time, (archives, now) => {
        let expected = 0n
        for (const [sizeBytes, storedAt, removedAt] of archives) {
          const storedMs = Math.min(removedAt, now) - Math.max(storedAt, july.from)
          expected += BigInt(sizeBytes) * BigInt(Math.max(0, storedMs))
        }
        expect(accounts.storedByteMs(userWith(...archives), july.from, now)).toBe(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('is cheap with 100,000 archives of the greatest size, and as exact', () => {
    const userId = userWith(
      ...Array.from({ length: 100_000 }, (_, index): Archive => [50e9 - index, july.from, july.to]),
    )
    const startedMs = performance.now()
    const byteMs = accounts.storedByteMs(userId, july.from, july.to)
    const tookMs = performance.now() - startedMs
    const bytes = 100_000n * 50_000_000_000n - (99_999n * 100_000n) / 2n
    expect(byteMs).toBe(bytes * BigInt(july.to - july.from))
    expect(tookMs).toBeLessThan(250)
    const plan = db.orm.all<{ detail: string }>(
      sql`EXPLAIN QUERY PLAN SELECT sum(size_bytes * (removed_at - stored_at)) FROM archive_stays
          WHERE user_id = ${userId} AND removed_at > ${july.from}`,
    )
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH archive_stays USING COVERING INDEX archive_stays_of_user (user_id=? AND removed_at>?)',
    ])
  })
})
