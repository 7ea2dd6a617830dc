import { Database as Sqlite } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { ListPlace } from '../../server/jobs/cursor.ts'
import { type JobStore, openJobStore } from '../../server/jobs/job-store.ts'
import { openTransitionStore } from '../../server/jobs/transition-store.ts'
import { forFile } from '../support/for-file.ts'
import { plansOf } from '../support/query-plans.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const MILLION = 1_000_000
const CREATED_AT = Date.UTC(2026, 0, 1)

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const userId = openAccountStore(db).createUser('busy', 'pro', 0)?.id ?? ''
const jobs = openJobStore(db)

beforeAll(() => {
  using sqlite = new Sqlite(dir.file('holdall.db'), { strict: true })
  sqlite.run('PRAGMA synchronous = OFF')
  // Three of a millisecond each, so that ids decide; every tenth has failed.
  sqlite.run(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${MILLION - 1})
     INSERT INTO jobs (id, user_id, status, zip_filename, expires_in_seconds, fail_on_url_error, as_files, metadata,
       url_count, created_at)
     SELECT printf('%08x-0000-7000-8000-000000000000', i), ?, iif(i % 10 = 0, 'failed', 'completed'), 'a.zip', 300, 1,
       0, '{}', 1, ${CREATED_AT} + i / 3 FROM n`,
    [userId],
  )
}, 120_000)

/** The steps that a read of the store takes. */
const plansOfStore = (read: (store: JobStore) => unknown) =>
  plansOf(dir.file('holdall.db'), (connection) => read(openJobStore({ ...db, ...connection })))

const deep: ListPlace = { createdAt: CREATED_AT + 1_000, id: '00000bb8-0000-7000-8000-000000000000' }

describe('4.5 GET /jobs with a million jobs', () => {
  test('reads a page, of any status or of one, by an index from its cursor on, and sorts nothing', () => {
    for (const place of [null, deep]) {
      expect(plansOfStore((store) => store.page(userId, null, place, 20))).toEqual([
        'SEARCH jobs USING INDEX jobs_newest_first (user_id=? AND (created_at,id)<(?,?))',
      ])
      expect(plansOfStore((store) => store.page(userId, 'failed', place, 20))).toEqual([
        'SEARCH jobs USING INDEX jobs_by_status (user_id=? AND status=? AND (created_at,id)<(?,?))',
      ])
    }
  })

  test('reads the total without counting jobs', () => {
    expect(plansOfStore((store) => store.counts(userId))).toEqual([
      'SEARCH job_counts USING PRIMARY KEY (user_id=?)',
    ])
    expect(jobs.counts(userId)).toEqual({
      pending: 0,
      processing: 0,
      completed: MILLION * 0.9,
      failed: MILLION * 0.1,
    })
  })

  test('gives a page deep in the list as fast as the first', () => {
    const timeOf = (work: () => unknown) => {
      work()
      const startedMs = performance.now()
      for (let round = 0; round < 50; round++) work()
      return (performance.now() - startedMs) / 50
    }
    expect(jobs.page(userId, null, deep, 20).at(0)?.id).toBe('00000bb7-0000-7000-8000-000000000000')
    expect(timeOf(() => jobs.page(userId, null, deep, 20))).toBeLessThan(10)
    expect(timeOf(() => jobs.page(userId, 'failed', deep, 100))).toBeLessThan(10)
    expect(timeOf(() => jobs.counts(userId))).toBeLessThan(5)
  })

  test('a count follows every change of a job', () => {
    const [job] = jobs.page(userId, 'failed', null, 1)
    expect(openTransitionStore(db).delete(userId, job?.id ?? '', 0)).toBe(true)
    db.orm.run(sql`UPDATE jobs SET status = 'pending' WHERE id = '00000001-0000-7000-8000-000000000000'`)
    expect(jobs.counts(userId)).toEqual({
      pending: 1,
      processing: 0,
      completed: MILLION * 0.9 - 1,
      failed: MILLION * 0.1 - 1,
    })
  })
})
