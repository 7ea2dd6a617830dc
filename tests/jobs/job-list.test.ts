import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openAccountStore } from '../../server/accounts/account-store.ts'
import { openDatabase } from '../../server/db/open.ts'
import { listOfJobs } from '../../server/jobs/job.ts'
import { type JobQueries, openJobQueries } from '../../server/jobs/reading/query-store.ts'
import { searchJobs } from '../../server/jobs/reading/search.ts'
import { decodeCursor, type ListPlace } from '../../server/paging.ts'
import { forFile } from '../support/for-file.ts'
import { insertManyJobs } from '../support/many-jobs.ts'
import { openTransitions } from '../support/open-transitions.ts'
import { plansOf } from '../support/query-plans.ts'
import { runSql } from '../support/run-sql.ts'
import { PROGRAM_FILES } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const MANY = 100_000
const FEW = 200
const CREATED_AT = Date.UTC(2026, 0, 1)

const dir = forFile(tempDir())
const db = forFile(openDatabase(dir.file('holdall.db'), PROGRAM_FILES.migrationsDir))
const accounts = openAccountStore(db)
const userId = accounts.createUser('many', 'pro', 0)?.id ?? ''
const fewJobsUserId = accounts.createUser('few', 'pro', 0)?.id ?? ''
const jobs = openJobQueries(db)

beforeAll(() => {
  // Three jobs have the same creation time, so that their ids determine the order. Every tenth job has failed.
  for (const [owner, count, idSuffix] of [
    [userId, MANY, '0'],
    [fewJobsUserId, FEW, '1'],
  ] as const)
    insertManyJobs(
      db,
      Array.from({ length: count }, (_, number) => ({
        id: `${number.toString(16).padStart(8, '0')}-0000-7000-8000-00000000000${idSuffix}`,
        userId: owner,
        status: number % 10 === 0 ? 'failed' : 'completed',
        createdAt: CREATED_AT + Math.floor(number / 3),
      })),
    )
}, 120_000)

/** The query plans of a read of the store. */
const plansOfStore = (read: (store: JobQueries) => unknown) =>
  plansOf(dir.file('holdall.db'), (connection) => read(openJobQueries({ ...db, ...connection })))

const deep: ListPlace = { createdAt: CREATED_AT + 1_000, id: '00000bb8-0000-7000-8000-000000000000' }

describe('4.5 GET /jobs with a hundred thousand jobs', () => {
  test('reads a page from its cursor by an index, with and without a filter by status, and sorts nothing', () => {
    expect(jobs.page(userId, null, deep, 20).at(0)?.id).toBe('00000bb7-0000-7000-8000-000000000000')
    for (const place of [null, deep]) {
      expect(plansOfStore((store) => store.page(userId, null, place, 20))).toEqual([
        'SEARCH jobs USING INDEX jobs_newest_first (user_id=? AND (created_at,id)<(?,?))',
      ])
      expect(plansOfStore((store) => store.page(userId, 'failed', place, 20))).toEqual([
        'SEARCH jobs USING INDEX jobs_by_status (user_id=? AND status=? AND (created_at,id)<(?,?))',
      ])
      for (const filter of ['cancelled', 'failed otherwise'] as const)
        expect(plansOfStore((store) => store.page(userId, filter, place, 20))).toEqual([
          'SEARCH jobs USING INDEX jobs_by_cancellation (user_id=? AND <expr>=? AND (created_at,id)<(?,?))',
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
      completed: MANY * 0.9,
      failed: MANY * 0.1,
      cancelled: 0,
    })
  })

  test('searches them within its limit, and continues where it stopped', async () => {
    let pauses = 0
    const search = (cursor: string | null) =>
      searchJobs(jobs, userId, { text: 'no job has this', filter: null, cursor, limit: 20 }, async () => {
        pauses++
      })
    const first = await search(null)
    expect(first).toEqual({ jobs: [], nextCursor: expect.any(String) })
    expect(pauses).toBeGreaterThan(10)
    const place = decodeCursor(listOfJobs(userId), first.nextCursor ?? '')
    expect(place.createdAt).toBeLessThan(CREATED_AT + MANY / 3)
    const second = await search(first.nextCursor)
    expect(decodeCursor(listOfJobs(userId), second.nextCursor ?? '').createdAt).toBeLessThan(place.createdAt)
    const short = await searchJobs(
      jobs,
      fewJobsUserId,
      { text: 'A.ZIP', filter: 'failed', cursor: null, limit: 100 },
      async () => {},
    )
    expect([short.jobs.length, short.nextCursor]).toEqual([FEW / 10, null])
  })

  test('updates the counts with every change of a job', () => {
    const [job] = jobs.page(userId, 'failed', null, 1)
    expect(openTransitions(db).delete(userId, job?.id ?? '', 0)).toBe(true)
    runSql(db, sql`UPDATE jobs SET status = 'pending' WHERE id = '00000001-0000-7000-8000-000000000000'`)
    expect(jobs.counts(userId)).toEqual({
      pending: 1,
      processing: 0,
      completed: MANY * 0.9 - 1,
      failed: MANY * 0.1 - 1,
      cancelled: 0,
    })
  })
})
