import { until } from '../support/until.ts'
import type { Target } from './target.ts'

export interface FinishedJobs {
  readonly jobs: readonly string[]
  /** Of their archives. */
  readonly tokens: readonly string[]
}

/** Two jobs of two sources each, with a manifest, so that every list has a next page. They belong to the first user. */
export async function finishedJobs({ origin, keys, sourceUrl }: Target): Promise<FinishedJobs> {
  const [key = ''] = keys
  const headers = { authorization: `Bearer ${key}` }
  const body = JSON.stringify({ urls: [sourceUrl, sourceUrl], manifest: true })
  const jobs: string[] = []
  const tokens: string[] = []
  for (let made = 0; made < 2; made++) {
    const { job_id } = await bodyOf(await fetch(`${origin}/jobs`, { method: 'POST', headers, body }))
    jobs.push(job_id)
    const token = async () => {
      const { job } = await bodyOf(await fetch(`${origin}/jobs/${job_id}`, { headers }))
      if (job.status === 'failed') throw new Error(`The job failed: ${JSON.stringify(job.errors)}`)
      return job.status === 'completed' && (new URL(job.download_url).pathname.split('/').at(-1) ?? '')
    }
    tokens.push(await until('the job is completed', token, { everyMs: 20 }))
  }
  return { jobs, tokens }
}

export async function bodyOf(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await response.text())
}
