import type { JobJson } from '../../server/http/jobs/schemas.ts'
import type { NewApiKeyJson } from '../../server/http/keys/schemas.ts'
import type { Holdall } from './executable.ts'

/** Uses a service over HTTP with an API key, as a program does. */
export interface Client {
  readonly key: string
  /** Sends a string as the body unchanged, and any other value as JSON. */
  request(method: string, path: string, body?: unknown): Promise<Response>
  /** @returns the job's id */
  createJob(
    settings: ({ urls: readonly string[] } | { files: readonly object[] }) &
      Readonly<Record<string, unknown>>,
  ): Promise<string>
  getJob(jobId: string): Promise<JobJson>
  /** Polls until the job has ended. Throws after the deadline. */
  untilEnded(jobId: string, deadlineMs?: number): Promise<JobJson>
  /** Polls until the condition holds for the job. Throws after the deadline. */
  until(jobId: string, condition: (job: JobJson) => boolean, deadlineMs?: number): Promise<JobJson>
}

/** Signs in as the owner with the printed link. The client also finds the service at its new port after a restart. */
export async function signInOwner(holdall: Holdall): Promise<Client> {
  const { key } = await signIn(await holdall.signInLink())
  return clientOf(() => holdall.address, key)
}

/** Exchanges a one-time link for a key, as the browser does. */
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

/** @param address called for each request, because a restarted service has another address */
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
    async until(jobId, condition, deadlineMs = 110_000) {
      const startedMs = performance.now()
      for (;;) {
        const job = await client.getJob(jobId)
        if (condition(job)) return job
        if (performance.now() - startedMs > deadlineMs) {
          throw new Error(
            `The job is still ${job.status} after ${deadlineMs} ms, with ${job.file_count} files.`,
          )
        }
        await Bun.sleep(20)
      }
    },
  }
  return client
}

/** Downloads a finished archive to a file. */
export async function download(job: JobJson, path: string): Promise<void> {
  if (job.download_url === undefined)
    throw new Error(`The job has no archive: ${JSON.stringify(job.failure)}`)
  const response = await fetch(job.download_url)
  if (response.status !== 200) throw new Error(`The download responds ${response.status}.`)
  await Bun.write(path, response)
}

async function expectStatus(response: Response, status: number) {
  const text = await response.text()
  if (response.status !== status) throw new Error(`${response.url} responds ${response.status}: ${text}`)
  return JSON.parse(text)
}
