import { openAccountStore } from '../../server/accounts/account-store.ts'
import type { Database } from '../../server/db/open.ts'
import { beginRetention } from '../../server/jobs/lifecycle/retention-store.ts'

export type Archive = readonly [sizeBytes: number, storedAt: number, removedAt: number]

/** @returns a function that creates a user with the given archives, and returns the id */
export function userCreator(db: Database): (...archives: readonly Archive[]) => string {
  const accounts = openAccountStore(db)
  let users = 0
  return (...archives) => {
    const user = accounts.createUser(`user ${users++}`, 'pro', 0)
    if (user === null) throw new Error('the name is taken')
    db.transaction((tx) => {
      archives.forEach(([sizeBytes, storedAt, removedAt], index) => {
        beginRetention(tx, { jobId: `${user.id} ${index}`, userId: user.id, sizeBytes, storedAt, removedAt })
      })
    })
    return user.id
  }
}
