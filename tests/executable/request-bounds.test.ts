// test group: prompt
import { expect, test } from 'bun:test'
import type { JobListItemJson } from '../../server/http/jobs/schemas.ts'
import { type Client, signIn } from '../support/client.ts'
import { connectTo } from '../support/connection.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { percentile, probeHealth } from '../support/health-probe.ts'
import { startOrigin } from '../support/origin.ts'

const MAX_MEMORY_BYTES = 300_000_000
/** The 90th percentile, on a machine that does much else, too. */
const SLOW_HEALTH_MS = 500
/** The 99th percentile, while large bodies are checked and written. */
const SLOWEST_HEALTH_MS = 2_000
const TEST_TIMEOUT_MS = 120_000

/** 5,000 URLs of the greatest length, at a port where nothing listens. */
const URLS = Array.from({ length: 5_000 }, (_, index) => `http://127.0.0.1:9/${index}/`.padEnd(8_192, 'x'))

const text = new TextEncoder()
const LONGEST_JOB = text.encode(JSON.stringify({ urls: URLS, fail_on_url_error: false }))
const BRACKETS = text.encode('['.repeat(40_000_000))
const KEYS = text.encode(`{${Array.from({ length: 3_500_000 }, (_, index) => `"${index}":0`).join(',')}}`)
const MEBIBYTE = text.encode(JSON.stringify({ token: 'x'.repeat(1024 * 1024) }))

interface Load {
  readonly holdall: Holdall
  readonly client: Client
}

test(
  'twelve jobs of 40 MB that are sent and run at once are completed, memory stays below 300 MB, and /health answers meanwhile',
  async () => {
    // 60,000 requests of 8 KB would keep an origin in JavaScript as busy as the service.
    using source = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response('twenty bytes of data'),
    })
    await using holdall = await startHoldall()
    const client = await signIn(await holdall.signInLink())
    const urls = URLS.map((_, index) => new URL(`/${index}/`, source.url).href.padEnd(8_192, 'x'))
    const body = text.encode(JSON.stringify({ urls }))
    const probe = await probeHealth(holdall.address)
    await expectAll(12, 201, () => sendUntilTaken(holdall, client, '/jobs', body))
    const jobs = await untilAllEnded(client)
    expect(jobs.map((job) => [job.status, job.file_count])).toEqual(jobs.map(() => ['completed', 5_000]))
    const times = await probe.finish()
    expect(times.at(-1)).toBeFinite()
    expect(percentile(times, 90)).toBeLessThan(SLOW_HEALTH_MS)
    expect(percentile(times, 99)).toBeLessThan(SLOWEST_HEALTH_MS)
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  2 * TEST_TIMEOUT_MS,
)

test.each<[string, (load: Load) => Promise<void>]>([
  [
    'a body of 40 MB of opening brackets',
    ({ holdall, client }) => expectAll(1, 400, () => send(holdall, client, '/jobs', BRACKETS)),
  ],
  [
    'a body of 3.5 million keys',
    ({ holdall, client }) => expectAll(1, 400, () => send(holdall, client, '/jobs', KEYS)),
  ],
  [
    'four bodies of a mebibyte at once to /sign-in, twenty times',
    async ({ holdall, client }) => {
      for (let round = 0; round < 20; round++)
        await expectAll(4, 413, () => send(holdall, client, '/sign-in', MEBIBYTE))
    },
  ],
  [
    'forty responses of 40 MB, and forty event streams that begin with as much, which nobody reads',
    async ({ holdall, client }) => {
      const response = await send(holdall, client, '/jobs', LONGEST_JOB)
      const { job_id } = JSON.parse(await response.text())
      await using unread = new AsyncDisposableStack()
      for (const path of [`/jobs/${job_id}`, `/jobs/${job_id}/events`]) {
        for (let count = 0; count < 40; count++) {
          const connection = unread.use(await connectTo(holdall.address))
          connection.pause()
          await connection.send(
            `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
          )
        }
      }
      const { urls } = await client.getJob(job_id)
      expect(urls).toEqual(URLS)
    },
  ],
])(
  '%s: memory stays below 300 MB and /health answers meanwhile',
  async (_what, load) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ args: ['--jobs', '1'] })
    const client = await signIn(await holdall.signInLink())
    // The other jobs wait behind this one, so that no running job adds to the memory.
    await client.createJob({ urls: [origin.url('/silent')] })
    const probe = await probeHealth(holdall.address)
    await load({ holdall, client })
    const times = await probe.finish()
    expect(times.at(-1)).toBeFinite()
    expect(percentile(times, 90)).toBeLessThan(SLOW_HEALTH_MS)
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

/** Reads the list of jobs, since each job alone is 40 MB. */
async function untilAllEnded(client: Client): Promise<readonly JobListItemJson[]> {
  for (;;) {
    const answer = await client.request('GET', '/jobs?limit=100')
    const { jobs }: { jobs: readonly JobListItemJson[] } = JSON.parse(await answer.text())
    if (jobs.every(({ status }) => status === 'completed' || status === 'failed')) return jobs
    await Bun.sleep(500)
  }
}

function send(
  holdall: Holdall,
  client: Client,
  path: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return fetch(holdall.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
    body,
  })
}

/** A body waits 20 s for its turn. On a slow machine, eleven others take longer, and its client is asked to come again. */
async function sendUntilTaken(...request: Parameters<typeof send>): Promise<Response> {
  for (;;) {
    const response = await send(...request)
    if (response.status !== 503) return response
    await Bun.sleep(1_000 * Number(response.headers.get('retry-after')))
  }
}

async function expectAll(count: number, status: number, request: () => Promise<Response>): Promise<void> {
  const responses = await Promise.all(Array.from({ length: count }, request))
  expect(responses.map((response) => response.status)).toEqual(responses.map(() => status))
}
