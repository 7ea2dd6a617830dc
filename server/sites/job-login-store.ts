import { eq, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { jobLogins, type OriginHeaderNames } from '../db/site-schema.ts'

/** How one job reaches its sources: with headers of its own, or without the sites of its user. */
export interface JobLogins {
  readonly usesSites: boolean
  readonly headerNames: readonly OriginHeaderNames[]
  /** Null when there are no headers, or none any more. */
  readonly sealed: Buffer | null
}

export type JobLoginStore = ReturnType<typeof openJobLoginStore>

export function openJobLoginStore(db: Database) {
  const one = db.orm
    .select({
      usesSites: jobLogins.usesSites,
      headerNames: jobLogins.headerNames,
      sealed: jobLogins.sealed,
    })
    .from(jobLogins)
    .where(eq(jobLogins.jobId, sql.placeholder('jobId')))
    .prepare()
  return {
    /** Those of a job that was created without any of it use the sites. */
    find: (jobId: string): JobLogins => one.get({ jobId }) ?? DEFAULT,
  }
}

/** Writes how a new job reaches its sources, unless it does so in the default way. */
export function insertJobLogins(tx: Tx, jobId: string, logins: JobLogins): void {
  if (logins.usesSites && logins.sealed === null) return
  tx.insert(jobLogins)
    .values({ jobId, ...logins })
    .run()
}

const DEFAULT: JobLogins = { usesSites: true, headerNames: [], sealed: null }
