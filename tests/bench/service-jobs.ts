import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import type { PageMetaJson } from '../../server/http/schemas.ts'
import type { Client } from '../support/client.ts'

/** Jobs that were created simultaneously, after all have completed. */
export interface CompletedJobs {
  /** From the first request to the last completion. */
  readonly wallMs: number
  /** In the order in which they were created. */
  readonly jobs: readonly CompletedJob[]
}

export interface CompletedJob {
  readonly id: string
  /** From its own POST to its completion. */
  readonly wallMs: number
  readonly archiveBytes: number
}

/** The body of `POST /jobs`. Built before the measurement, because it is work of the client. */
export function jobBody(urls: readonly string[]): string {
  return JSON.stringify({ urls })
}

/**
 * Creates jobs simultaneously and waits until all have completed. A job ends at its `completed_at`, which comes from
 * the same clock as the time of its POST, so that the interval between reads does not affect the result. The service
 * reads the clock just before it commits the completion, so the commit itself, some milliseconds on an idle disk, is
 * not included.
 * @throws if a job fails
 */
export async function completeJobs(
  client: Client,
  bodies: readonly string[],
  signal: AbortSignal,
): Promise<CompletedJobs> {
  const created = await createJobs(client, bodies)
  return await completion(client, created, signal)
}

export interface CreatedJob {
  readonly id: string
  readonly sentAtMs: number
}

/** Sends all requests simultaneously. */
export function createJobs(client: Client, bodies: readonly string[]): Promise<CreatedJob[]> {
  return Promise.all(
    bodies.map(async (body) => {
      const sentAtMs = Date.now()
      const response = await client.request('POST', '/jobs', body)
      const text = await response.text()
      if (response.status !== 201) throw new Error(`POST /jobs responds ${response.status}: ${text}`)
      const { job_id: id }: { job_id: string } = JSON.parse(text)
      return { id, sentAtMs }
    }),
  )
}

/** Waits for jobs to complete. They must be the newest jobs. */
export async function completion(
  client: Client,
  created: readonly CreatedJob[],
  signal: AbortSignal,
): Promise<CompletedJobs> {
  const deadlineMs = performance.now() + COMPLETION_TIMEOUT_MS
  for (;;) {
    await Bun.sleep(READ_INTERVAL_MS)
    signal.throwIfAborted()
    const ended = await endedJobs(client, created)
    if (ended !== null) {
      const lastMs = Math.max(...ended.map(({ completedAtMs }) => completedAtMs))
      return { jobs: ended, wallMs: lastMs - Math.min(...created.map(({ sentAtMs }) => sentAtMs)) }
    }
    if (performance.now() > deadlineMs) throw new Error('The jobs took too long.')
  }
}

/** @returns null if a job is still waiting or running */
async function endedJobs(
  client: Client,
  created: readonly CreatedJob[],
): Promise<(CompletedJob & { completedAtMs: number })[] | null> {
  // Reads only the newest job first, since it usually ends last.
  const [newest] = await listJobs(client, 1)
  if (newest === undefined || !hasEnded(newest)) return null
  const listed = new Map((await listJobs(client, created.length)).map((job) => [job.id, job]))
  const jobs = created.map(({ id, sentAtMs }) => {
    const job = listed.get(id)
    if (job?.status === 'failed') throw new Error(`A job failed: ${JSON.stringify(job.failure)}`)
    const completedAtMs = Date.parse(job?.completed_at ?? '')
    return { id, completedAtMs, wallMs: completedAtMs - sentAtMs, archiveBytes: job?.zip_size ?? 0 }
  })
  return jobs.every(({ completedAtMs }) => !Number.isNaN(completedAtMs)) ? jobs : null
}

function hasEnded({ status }: JobListItemJson): boolean {
  return status === 'completed' || status === 'failed'
}

/** The newest `count` jobs. */
async function listJobs(client: Client, count: number): Promise<JobListItemJson[]> {
  const jobs: JobListItemJson[] = []
  let cursor = ''
  while (jobs.length < count) {
    const limit = Math.min(count - jobs.length, MAX_PAGE_SIZE)
    const response = await client.request('GET', `/jobs?limit=${limit}${cursor}`)
    const page: { jobs: JobListItemJson[]; meta: PageMetaJson } = JSON.parse(await response.text())
    jobs.push(...page.jobs)
    if (page.meta.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(page.meta.next_cursor)}`
  }
  return jobs
}

/** Five reads per second. */
const READ_INTERVAL_MS = 200
const COMPLETION_TIMEOUT_MS = 10 * 60_000
/** The maximum page size of the service. */
const MAX_PAGE_SIZE = 100
