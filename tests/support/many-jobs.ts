import { sql } from 'drizzle-orm'
import type { Database } from '../../server/db/open.ts'
import { jobs } from '../../server/db/schema.ts'
import { jobToCreate } from './job-to-create.ts'
import { runSql } from './run-sql.ts'

type JobRow = typeof jobs.$inferInsert

/** A job that has ended, where a test needs more of them than a service could run. */
export type EndedJob = Pick<JobRow, 'id' | 'userId' | 'status' | 'createdAt'> &
  Partial<Pick<JobRow, 'urlCount' | 'zipBytes' | 'expiresAt' | 'failureCode' | 'databaseBytes'>>

/** Inserts jobs without sources and entries, in one transaction. */
export function insertManyJobs(db: Database, ended: Iterable<EndedJob>): void {
  const { base: _, logins: __, ...created } = jobToCreate({ userId: '' })
  db.transaction((tx) => {
    const insert = tx
      .insert(jobs)
      .values({
        ...created,
        id: sql.placeholder('id'),
        userId: sql.placeholder('userId'),
        linkId: sql.placeholder('id'),
        status: sql.placeholder('status'),
        urlCount: sql.placeholder('urlCount'),
        zipBytes: sql.placeholder('zipBytes'),
        createdAt: sql.placeholder('createdAt'),
        expiresAt: sql.placeholder('expiresAt'),
        failureCode: sql.placeholder('failureCode'),
        databaseBytes: sql.placeholder('databaseBytes'),
      })
      .prepare()
    for (const job of ended)
      insert.run({ urlCount: 1, zipBytes: 0, expiresAt: null, failureCode: null, databaseBytes: 0, ...job })
  })
}

/** Gives a user failed jobs with their sources and checkpoints. Their ids are the user's with a number behind it. */
export function insertFailedJobs(
  db: Database,
  userId: string,
  { jobCount, urlCount, expiresAt }: { jobCount: number; urlCount: number; expiresAt: number },
): void {
  const settings = {
    zipBytes: 1,
    createdAt: 0,
    failureCode: 'URL_FAILED',
    databaseBytes: urlCount * 250,
  } as const
  insertManyJobs(
    db,
    Array.from({ length: jobCount }, (_, number) => {
      const id = userId + String(number).padStart(6, '0')
      return { id, userId, status: 'failed', urlCount, expiresAt, ...settings } as const
    }),
  )
  runSql(
    db,
    sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${urlCount - 1})
        INSERT INTO sources (job_id, position, url)
        SELECT jobs.id, i, 'https://example.com/some/path/of/a/file/' || i || '.jpg' FROM jobs, n WHERE user_id = ${userId}`,
  )
  runSql(
    db,
    sql`INSERT INTO entries (job_id, position, status, name, offset, header_bytes, compressed_bytes)
        SELECT sources.job_id, position, 'stored', 'file-' || position || '.jpg', 0, 40, 1000
        FROM sources JOIN jobs ON jobs.id = sources.job_id WHERE user_id = ${userId}`,
  )
}
