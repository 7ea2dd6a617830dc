import { expect, test } from 'bun:test'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openSignIn } from '../../server/accounts/sign-in.ts'
import { openDatabase } from '../../server/db/open.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const HALF_AN_HOUR_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** Whether a link works after the clock was set ahead by this time, or back if it is negative. */
function worksAfter(clockChangeMs: number): boolean {
  using dir = tempDir()
  using db = openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir)
  const accounts = openAccountStore(db)
  let now = Date.UTC(2026, 6, 1)
  const signIn = openSignIn(accounts, () => now)
  const owner = accounts.owner(now)
  const { token } = signIn.issueToken(owner.id)
  now += clockChangeMs
  try {
    return signIn.redeem(token, (_tx, userId) => userId) === owner.id
  } catch {
    return false
  }
}

test('a sign-in link works for half an hour, and not at all if its time of creation lies in the future', () => {
  expect([0, HALF_AN_HOUR_MS - 1, HALF_AN_HOUR_MS].map(worksAfter)).toEqual([true, true, false])
  expect(worksAfter(-20 * DAY_MS)).toBe(false)
})
