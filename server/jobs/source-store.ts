import type { Database } from '../db/open.ts'
import type { Source } from '../engine/job-order.ts'
import { type Issue, ServiceError } from '../errors.ts'
import type { RetryOptions } from './job.ts'

/** Sources that one statement inserts: with the longest URLs, some megabytes of JSON. */
const BATCH = 500

/** Writes the URLs of a job. Call it inside the transaction that creates or retries the job. */
export function openSourceStore(db: Database) {
  // Many rows per statement: 5,000 sources take 4 ms, against 12 ms with one statement per row.
  const insert = db.prepare<null, { jobId: string; first: number; sourcesJson: string }>(
    `INSERT INTO sources (job_id, position, url, filename)
     SELECT $jobId, $first + key, value ->> 'url', value ->> 'filename' FROM json_each($sourcesJson)`,
  )
  const forgetFailed = db.prepare<{ position: number }, { jobId: string; position: number }>(
    `DELETE FROM entries WHERE job_id = $jobId AND position = $position AND status = 'failed' RETURNING position`,
  )
  const setUrl = db.prepare<null, { jobId: string; position: number; url: string }>(
    'UPDATE sources SET url = $url WHERE job_id = $jobId AND position = $position',
  )
  return {
    insert(jobId: string, sources: readonly Source[]): void {
      for (let first = 0; first < sources.length; first += BATCH) {
        insert.run({ jobId, first, sourcesJson: JSON.stringify(sources.slice(first, first + BATCH)) })
      }
    },
    /** Gives failed URLs new addresses. Throws `INVALID_REQUEST` when one of them has not failed. */
    replaceFailed(jobId: string, replacements: RetryOptions['replace']): void {
      const issues: Issue[] = []
      replacements.forEach(({ position, url }, index) => {
        if (forgetFailed.get({ jobId, position }) !== null) setUrl.run({ jobId, position, url })
        else
          issues.push({ path: `replace.${index}.position`, message: 'is not the position of a failed URL' })
      })
      if (issues.length > 0) {
        throw new ServiceError('INVALID_REQUEST', 'Only URLs that failed can be replaced, each once.', issues)
      }
    },
  }
}
