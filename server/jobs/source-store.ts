import type { Database } from '../db/open.ts'
import type { Source } from '../engine/job-order.ts'
import { type Issue, ServiceError } from '../errors.ts'
import type { RetryOptions } from './job.ts'

/** 5,000 URLs of 200 characters: more than nearly all lists have. The JSON of the longest list would take 80 MB. */
const MAX_JSON_CHARACTERS = 1024 * 1024

/** Writes the sources of a job. Call it inside the transaction that creates or retries the job. */
export function openSourceStore(db: Database) {
  // One statement for the whole list: with one per row, 5,000 sources take three times as long.
  const insertUrls = db.prepare<null, { jobId: string; urlsJson: string }>(
    `INSERT INTO sources (job_id, position, url) SELECT $jobId, key, value FROM json_each($urlsJson)`,
  )
  const insertList = db.prepare<null, { jobId: string; sourcesJson: string }>(
    `INSERT INTO sources (job_id, position, url, filename, base_position)
     SELECT $jobId, key, value ->> 'url', value ->> 'filename', value ->> 'basePosition' FROM json_each($sourcesJson)`,
  )
  const insertOne = db.prepare<null, SourceRow>(
    `INSERT INTO sources (job_id, position, url, filename, base_position)
     VALUES ($jobId, $position, $url, $filename, $basePosition)`,
  )
  const forgetFailed = db.prepare<{ position: number }, { jobId: string; position: number }>(
    `DELETE FROM entries WHERE job_id = $jobId AND position = $position AND status = 'failed' RETURNING position`,
  )
  const setUrl = db.prepare<null, { jobId: string; position: number; url: string }>(
    'UPDATE sources SET url = $url, base_position = NULL WHERE job_id = $jobId AND position = $position',
  )
  return {
    insert(jobId: string, sources: readonly SourceToInsert[]): void {
      const characters = sources.reduce(
        (sum, { url, filename }) => sum + url.length + (filename?.length ?? 0),
        0,
      )
      if (characters <= MAX_JSON_CHARACTERS) {
        // To look up fields in the JSON of each source takes half of the time.
        if (sources.every(isOnlyUrl)) insertUrls.run({ jobId, urlsJson: JSON.stringify(sources.map(urlOf)) })
        else insertList.run({ jobId, sourcesJson: JSON.stringify(sources) })
        return
      }
      for (const [position, source] of sources.entries())
        insertOne.run({ jobId, position, basePosition: null, ...source })
    },
    /** Replaces failed URLs. Throws `INVALID_REQUEST` when one of the positions has no failed URL. */
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

/** A source with the position of the same source in the base of the job, if any. */
export interface SourceToInsert extends Source {
  readonly basePosition?: number | null
}

function isOnlyUrl({ filename, basePosition }: SourceToInsert): boolean {
  return filename === null && basePosition == null
}

function urlOf({ url }: SourceToInsert): string {
  return url
}

type SourceRow = {
  jobId: string
  position: number
  url: string
  filename: string | null
  basePosition: number | null
}

/** Reads the sources of a job from position `first` on, in order. */
export function openSourceReader(db: Database): (jobId: string, first: number, limit: number) => Source[] {
  const read = db.prepare<Source, { jobId: string; first: number; limit: number }>(
    'SELECT url, filename FROM sources WHERE job_id = $jobId AND position >= $first ORDER BY position LIMIT $limit',
  )
  return (jobId, first, limit) => read.all({ jobId, first, limit })
}

/** Whether a job has a URL that contains a text, ignoring the case of ASCII letters. */
export function openUrlSearch(db: Database): (jobId: string, text: string) => boolean {
  const find = db.prepare<{ position: number }, { jobId: string; pattern: string }>(
    String.raw`SELECT position FROM sources WHERE job_id = $jobId AND url LIKE $pattern ESCAPE '\' LIMIT 1`,
  )
  return (jobId, text) => {
    const pattern = `%${text.replace(/[%_\\]/g, String.raw`\$&`)}%`
    return find.get({ jobId, pattern }) !== null
  }
}
