import type { Database } from '../db/open.ts'
import type { Base } from './job.ts'
import { openSourceStore, type SourceToInsert } from './source-store.ts'

/** The settings of a job that is about to be created. */
export type JobToCreate = {
  readonly id: string
  readonly userId: string
  readonly zipFilename: string
  readonly expiresInSeconds: number
  readonly failOnUrlError: boolean
  readonly asFiles: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly base: Base | null
}

/** Writes a pending job with its sources. Call it inside the transaction that creates the job. */
export function openJobCreation(
  db: Database,
): (job: JobToCreate, sources: readonly SourceToInsert[]) => void {
  const { insert } = openSourceStore(db)
  const create = db.prepare<null, JobColumns>(
    `INSERT INTO jobs (id, user_id, status, zip_filename, expires_in_seconds, fail_on_url_error, as_files, metadata,
       url_count, created_at, base_job_id, base_reuse)
     VALUES ($id, $userId, 'pending', $zipFilename, $expiresInSeconds, $failOnUrlError, $asFiles, $metadataJson,
       $urlCount, $createdAt, $baseJobId, $baseReuse)`,
  )
  return ({ metadata, base, ...job }, sources) => {
    create.run({
      ...job,
      metadataJson: JSON.stringify(metadata),
      urlCount: sources.length,
      baseJobId: base?.jobId ?? null,
      baseReuse: base?.reuse ?? null,
    })
    insert(job.id, sources)
  }
}

type JobColumns = Omit<JobToCreate, 'metadata' | 'base'> & {
  readonly metadataJson: string
  readonly urlCount: number
  readonly baseJobId: string | null
  readonly baseReuse: string | null
}
