import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { openNotifierStore } from '../../server/notifiers/notifier-store.ts'
import { forFile } from '../support/for-file.ts'
import { createShort, jobToCreate } from '../support/job-to-create.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const NOW = Date.UTC(2026, 6, 1)
const URL_FAILED = { code: 'URL_FAILED', message: 'x' } as const
const COMPLETED = { fileCount: 0, zipBytes: 1, changed: [] }
const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const accounts = openAccountStore(db)
const store = openJobQueries(db)
const transitions = openTransitions(db)
const notifiers = openNotifierStore(db)
let users = 0

/** A new user with one notifier for all events. */
function newUser(): string {
  const userId = accounts.createUser(`user ${users++}`, 'pro', 0)?.id ?? ''
  const url = 'https://example.com/'
  const events = ['job.completed', 'job.failed'] as const
  notifiers.addWithin(1, {
    id: crypto.randomUUID(),
    userId,
    kind: 'webhook',
    target: url,
    origin: url,
    events,
    secret: 'x',
    sealedToken: null,
    createdAt: 0,
  })
  return userId
}

function newJob(userId: string): string {
  const job = jobToCreate({ userId, createdAt: NOW })
  createShort(transitions, job, [{ url: 'http://x/', filename: null }])
  return job.id
}

const eventsOf = (userId: string) =>
  db.orm.all(
    sql`SELECT type, job_id AS job, next_attempt_at AS due FROM notifier_deliveries
        JOIN notifier_events ON notifier_events.id = event_id WHERE user_id = ${userId}`,
  )

/** What a run does with the user's oldest job. */
const END: Readonly<Record<string, (userId: string, jobId: string) => unknown>> = {
  'is completed': (userId) => transitions.complete(claimOf(userId), COMPLETED, NOW),
  fails: (userId) => transitions.fail(claimOf(userId), URL_FAILED, 0, NOW),
  'is cancelled while it waits': (userId, jobId) => transitions.cancel(userId, jobId, NOW),
  'is cancelled while it is claimed': (userId, jobId) => {
    claimOf(userId)
    transitions.cancel(userId, jobId, NOW)
  },
}

function claimOf(userId: string) {
  const claim = transitions.claimOldest(userId, Infinity)
  if (claim === null) throw new Error('there is no pending job')
  return claim
}

test.each(Object.keys(END))(
  'the transaction in which a job %s also writes its delivery, or changes nothing',
  (how) => {
    const userId = newUser()
    const jobId = newJob(userId)
    runSql(
      db,
      sql`CREATE TRIGGER refuse BEFORE INSERT ON notifier_deliveries BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    )
    expect(() => END[how]?.(userId, jobId)).toThrow('refused')
    runSql(db, sql`DROP TRIGGER refuse`)
    expect(store.find(userId, jobId)?.job.status).toBeOneOf(['pending', 'processing'])
    expect(eventsOf(userId)).toEqual([])

    runSql(db, sql`UPDATE jobs SET status = 'pending' WHERE id = ${jobId}`)
    END[how]?.(userId, jobId)
    const status = how === 'is completed' ? 'completed' : 'failed'
    expect(store.find(userId, jobId)?.job.status).toBe(status)
    expect(eventsOf(userId)).toEqual([{ type: `job.${status}`, job: jobId, due: NOW }])
  },
)

test('a run that no longer has its job, and a retry, write no delivery', () => {
  const userId = newUser()
  const jobId = newJob(userId)
  const claim = claimOf(userId)
  transitions.cancel(userId, jobId, NOW)
  transitions.complete(claim, COMPLETED, NOW)
  transitions.fail(claim, URL_FAILED, 0, NOW)
  transitions.retry(userId, jobId, NOW, { fromCheckpoint: true, skipFailed: false, replace: [] })
  transitions.delete(userId, jobId, NOW)
  expect(eventsOf(userId)).toHaveLength(1)
})
