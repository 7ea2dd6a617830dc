import type { Database, Tx } from '../db/open.ts'
import { jobs } from '../db/schema.ts'
import type { Source } from '../engine/job-order.ts'
import { type Issue, ServiceError } from '../errors.ts'
import { insertJobLogins, type JobLogins } from '../sites/job-login-store.ts'
import { openJobByteCount } from './database-bytes-store.ts'
import type { NewJob, RetryOptions } from './job.ts'

/** The settings of a job that is about to be created. */
export interface JobToCreate
  extends Omit<NewJob, 'sources' | 'zipBasename' | 'expiresInSeconds' | 'headers' | 'usesSites'> {
  readonly id: string
  readonly userId: string
  readonly zipFilename: string
  readonly expiresInSeconds: number
  readonly createdAt: number
  readonly logins: JobLogins
}

/** A source with the position of the same source in the base of the job, if any. */
export interface SourceToInsert extends Source {
  readonly basePosition?: number | null
}

/** Writes what users submit: new jobs with their sources, and other URLs for failed ones. */
export function openCreationStore(db: Database) {
  const countBytes = openJobByteCount(db)
  // One statement for the whole list: 5,000 sources take 3.7 ms, and 12 ms with one statement per row.
  const insertUrls = db.prepareWrite<null, { jobId: string; urlsJson: string }>(
    `INSERT INTO sources (job_id, position, url) SELECT $jobId, key, value FROM json_each($urlsJson)`,
  )
  const insertList = db.prepareWrite<null, { jobId: string; sourcesJson: string }>(
    `INSERT INTO sources (job_id, position, url, filename, sha256, base_position)
     SELECT $jobId, key, value ->> 'url', value ->> 'filename', unhex(value ->> 'sha256'), value ->> 'basePosition'
     FROM json_each($sourcesJson)`,
  )
  const insertOne = db.prepareWrite<null, SourceRow>(
    `INSERT INTO sources (job_id, position, url, filename, sha256, base_position)
     VALUES ($jobId, $position, $url, $filename, unhex($sha256), $basePosition)`,
  )
  // These two run once per URL that a retry replaces.
  const forgetFailed = db.prepareWrite<{ position: number }, { jobId: string; position: number }>(
    `DELETE FROM entries WHERE job_id = $jobId AND position = $position AND status = 'failed' RETURNING position`,
  )
  const setUrl = db.prepareWrite<null, { jobId: string; position: number; url: string }>(
    'UPDATE sources SET url = $url, base_position = NULL WHERE job_id = $jobId AND position = $position',
  )

  function insertSources(tx: Tx, jobId: string, sources: readonly SourceToInsert[]): void {
    const characters = sources.reduce(
      (sum, { url, filename }) => sum + url.length + (filename?.length ?? 0),
      0,
    )
    if (characters > MAX_JSON_CHARACTERS) {
      for (const [position, source] of sources.entries())
        insertOne.run(tx, { jobId, position, basePosition: null, sha256: null, ...source })
    } else if (sources.every(isOnlyUrl)) {
      // Looking up the fields of each source in its JSON would double the time.
      insertUrls.run(tx, { jobId, urlsJson: JSON.stringify(sources.map(({ url }) => url)) })
    } else insertList.run(tx, { jobId, sourcesJson: JSON.stringify(sources) })
  }

  return {
    /** Writes a pending job with its sources. */
    insert(tx: Tx, { base, logins, ...job }: JobToCreate, sources: readonly SourceToInsert[]): void {
      tx.insert(jobs)
        .values({
          ...job,
          status: 'pending',
          urlCount: sources.length,
          baseJobId: base?.jobId,
          baseReuse: base?.reuse,
        })
        .run()
      insertJobLogins(tx, job.id, logins)
      insertSources(tx, job.id, sources)
      countBytes(tx, job.id)
    },
    /** Replaces failed URLs. Throws `INVALID_REQUEST` when one of the positions has no failed URL. */
    replaceFailed(tx: Tx, jobId: string, replacements: RetryOptions['replace']): void {
      const issues: Issue[] = []
      replacements.forEach(({ position, url }, index) => {
        if (forgetFailed.get(tx, { jobId, position }) !== null) setUrl.run(tx, { jobId, position, url })
        else
          issues.push({ path: `replace.${index}.position`, message: 'is not the position of a failed URL' })
      })
      if (issues.length > 0) {
        throw new ServiceError('INVALID_REQUEST', 'Only URLs that failed can be replaced, each once.', issues)
      }
      if (replacements.length > 0) countBytes(tx, jobId)
    },
  }
}

/** 5,000 URLs of 200 characters: more than nearly all lists have. The JSON of the longest list would take 80 MB. */
const MAX_JSON_CHARACTERS = 1024 * 1024

function isOnlyUrl({ filename, sha256, basePosition }: SourceToInsert): boolean {
  return filename === null && sha256 == null && basePosition == null
}

type SourceRow = {
  jobId: string
  position: number
  url: string
  filename: string | null
  sha256: string | null
  basePosition: number | null
}
