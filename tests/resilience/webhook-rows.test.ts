import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { removeUser } from '../../server/admin/remove-user.ts'
import { openUserRemovalStore } from '../../server/admin/user-removal-store.ts'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { runInBatches } from '../../server/db/run-in-batches.ts'
import { openAttemptStore } from '../../server/notifiers/attempt-store.ts'
import { openDeliveryStore } from '../../server/notifiers/delivery-store.ts'
import { openNotifierStore } from '../../server/notifiers/notifier-store.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { plansOf } from '../support/query-plans.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const NOW = Date.UTC(2026, 6, 1)
const EVENTS = 300
/** The most rows that one transaction may change: a batch of events, each with a delivery per notifier. */
const MAX_ROWS = 2_500

/** Adds a user with 20 notifiers, and events with a pending delivery to each. @returns the ids of the notifiers */
function addNotifiers(db: Database, name: string): { userId: string; notifierIds: string[] } {
  const userId = openAccountStore(db).createUser(name, 'pro', 0)?.id ?? ''
  const store = openNotifierStore(db)
  const notifierIds = Array.from({ length: 20 }, (_, index) => `${userId} ${String(index).padStart(2, '0')}`)
  for (const id of notifierIds) {
    const url = 'https://example.com/'
    store.addWithin(20, {
      id,
      userId,
      kind: 'webhook',
      target: url,
      origin: url,
      events: ['job.failed'],
      secret: 'x',
      sealedToken: null,
      createdAt: 0,
    })
  }
  runSql(
    db,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
        INSERT INTO notifier_events (id, user_id, type, job_id, created_at)
        SELECT ${userId} || i, ${userId}, 'job.failed', ${userId}, ${NOW} FROM n`,
  )
  runSql(
    db,
    sql`INSERT INTO notifier_deliveries (id, notifier_id, event_id, status, created_at, next_attempt_at)
        SELECT notifiers.id || notifier_events.id, notifiers.id, notifier_events.id, 'pending', ${NOW}, ${NOW}
        FROM notifier_events JOIN notifiers USING (user_id) WHERE user_id = ${userId}`,
  )
  return { userId, notifierIds }
}

test('deleting a notifier, old deliveries and a user changes a limited number of rows per transaction', async () => {
  using dir = tempDir()
  using counting = countingDatabase(dir.file('holdall.db'))
  const { db } = counting
  const { userId, notifierIds } = addNotifiers(db, 'ann')
  addNotifiers(db, 'bob')
  const left = () => db.orm.get(sql`SELECT count(*) FROM notifier_deliveries`)
  expect(left()).toEqual([2 * 20 * EVENTS])
  const store = openNotifierStore(db)
  counting.takeMaxRows()
  await runInBatches(async () => store.deleteSome(notifierIds[0] ?? ''))
  expect(counting.takeMaxRows()).toBeLessThan(MAX_ROWS)
  expect(store.find(userId, notifierIds[0] ?? '', null)).toBeNull()
  expect(left()).toEqual([39 * EVENTS])

  await removeUser(userId, {
    removal: openUserRemovalStore(db),
    transitions: openTransitions(db),
    clock: () => NOW,
    halt: async () => {},
    deleteFiles: async () => {},
  })
  expect(counting.takeMaxRows()).toBeLessThan(MAX_ROWS)
  expect(left()).toEqual([20 * EVENTS])

  const deliveries = openDeliveryStore(db)
  await runInBatches(async () => deliveries.deleteSomeEvents(NOW))
  expect(counting.takeMaxRows()).toBeWithin(1_000, MAX_ROWS)
  expect(left()).toEqual([0])
})

test('due deliveries are found by an index, however many are pending', () => {
  using dir = tempDir()
  const path = dir.file('holdall.db')
  using db = openDatabase(path, PROGRAM_FILES.migrationsDir)
  const { notifierIds } = addNotifiers(db, 'ann')
  const [id = ''] = notifierIds
  const plans = plansOf(path, (connection) => {
    const attempts = openAttemptStore({ ...db, ...connection })
    expect(attempts.pendingNotifiers('', NOW).map(({ notifierId }) => notifierId)).toEqual(notifierIds)
    expect(attempts.pendingNotifiers(id, NOW)).toHaveLength(19)
    expect(attempts.pendingNotifiers('', NOW - 1).filter(({ isDue }) => isDue)).toEqual([])
    const [due = ''] = attempts.dueIds(id, NOW, 3)
    attempts.load(due, NOW)
    attempts.failSomePending(id)
    const deliveries = openDeliveryStore({ ...db, ...connection })
    deliveries.page(id, null, 20)
    deliveries.count(id)
    deliveries.find(id, due)
    deliveries.deleteSomeEvents(NOW)
  })
  expect(plans.filter((plan) => /SCAN (?!pending|CONSTANT ROW)|TEMP B-TREE/.test(plan))).toEqual([])
})
