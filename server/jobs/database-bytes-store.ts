import type { Database, Tx } from '../db/open.ts'

/**
 * Counts the bytes of a job in the database: its row, its sources, its headers and its entries, with their keys and columns of
 * numbers. Triggers of the migrations add it to the bytes of its owner. Call the function where a job begins, ends, gets other
 * URLs, or loses its details: its entries count from its end on.
 */
export function openJobByteCount(db: Database): (tx: Tx, jobId: string) => void {
  // One expression over three tables: the builder would check no more of it than the name of its column.
  const count = db.prepareWrite<null, { jobId: string }>(
    `UPDATE jobs SET database_bytes = ${JOB_BYTES} + octet_length(zip_filename) + octet_length(metadata)
       + (SELECT coalesce(sum(${SOURCE_BYTES} + octet_length(url) + coalesce(octet_length(filename), 0)
            + coalesce(octet_length(sha256), 0)), 0)
          FROM sources WHERE job_id = $jobId)
       + (SELECT coalesce(sum(${LOGIN_BYTES} + octet_length(header_names) + coalesce(octet_length(sealed), 0)), 0)
          FROM job_logins WHERE job_id = $jobId)
       + (SELECT coalesce(sum(${ENTRY_BYTES} + coalesce(octet_length(name), 0) + coalesce(octet_length(likely_name), 0)
            + coalesce(octet_length(sha256), 0) + coalesce(octet_length(fetched), 0)
            + coalesce(octet_length(etag), 0) + coalesce(octet_length(error), 0)
            + coalesce(octet_length(warning_message), 0)), 0)
          FROM entries WHERE job_id = $jobId)
     WHERE id = $jobId`,
  )
  return (tx, jobId) => count.run(tx, { jobId })
}

/** With its rows in six indexes. */
const JOB_BYTES = 1_000
/** Each of them contains the id of the job. */
const SOURCE_BYTES = 60
const LOGIN_BYTES = 100
const ENTRY_BYTES = 120
