import type { NewApiKeyJson } from '../../server/http/api-key-schemas.ts'
import type { JobJson } from '../../server/http/job-schemas.ts'

/** The service as a program uses it: over HTTP, with a key. */
export interface Client {
  readonly key: string
  /** Any request; a body goes as JSON, a string as it is. */
  request(method: string, path: string, body?: unknown): Promise<Response>
  /** @returns the job's id */
  createJob(settings: { urls: readonly string[] } & Readonly<Record<string, unknown>>): Promise<string>
  getJob(jobId: string): Promise<JobJson>
  /** Polls until the job has ended, or fails. */
  untilEnded(jobId: string, deadlineMs?: number): Promise<JobJson>
  /** Polls until the job is as wanted, or fails. */
  until(jobId: string, isWanted: (job: JobJson) => boolean, deadlineMs?: number): Promise<JobJson>
}

/** Exchanges the printed one-time link for a key, as the browser does. */
export async function signIn(link: string): Promise<Client> {
  const { origin, hash } = new URL(link)
  const response = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  })
  const { api_key }: { api_key: NewApiKeyJson } = await expectStatus(response, 201)
  return clientOf(() => origin, api_key.key)
}

/** `address` is asked at each request: a service that is started again is at another. */
export function clientOf(address: () => string, key: string): Client {
  const client: Client = {
    key,
    request: (method, path, body) =>
      fetch(address() + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async createJob(settings) {
      const response = await client.request('POST', '/jobs', settings)
      const { job_id }: { job_id: string } = await expectStatus(response, 201)
      return job_id
    },
    async getJob(jobId) {
      const { job }: { job: JobJson } = await expectStatus(await client.request('GET', `/jobs/${jobId}`), 200)
      return job
    },
    untilEnded: (jobId, deadlineMs) =>
      client.until(jobId, ({ status }) => status === 'completed' || status === 'failed', deadlineMs),
    async until(jobId, isWanted, deadlineMs = 60_000) {
      const startedMs = performance.now()
      for (;;) {
        const job = await client.getJob(jobId)
        if (isWanted(job)) return job
        if (performance.now() - startedMs > deadlineMs) {
          throw new Error(
            `The job is still ${job.status} after ${deadlineMs} ms, ${job.file_count} files in.`,
          )
        }
        await Bun.sleep(20)
      }
    },
  }
  return client
}

/** Writes a finished archive to a file. The URL needs no key. */
export async function download(job: JobJson, path: string): Promise<void> {
  if (job.download_url === undefined)
    throw new Error(`The job has no archive: ${JSON.stringify(job.failure)}`)
  const response = await fetch(job.download_url)
  if (response.status !== 200) throw new Error(`The download answers ${response.status}.`)
  await Bun.write(path, response)
}

async function expectStatus(response: Response, status: number) {
  const text = await response.text()
  if (response.status !== status) throw new Error(`${response.url} answers ${response.status}: ${text}`)
  return JSON.parse(text)
}
