// test group: prompt
import { expect, test } from 'bun:test'
import { type Client, signIn } from '../support/client.ts'
import { connectTo } from '../support/connection.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { expectAllAnswered, percentile, probeHealth } from '../support/health-probe.ts'
import { startOrigin } from '../support/origin.ts'

const MAX_MEMORY_BYTES = 300_000_000
/** The 90th percentile, on a machine that does much else, too. */
const SLOW_HEALTH_MS = 500
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
    'forty event streams that begin with 40 MB, which nobody reads',
    async ({ holdall, client }) => {
      const response = await send(holdall, client, '/jobs', LONGEST_JOB)
      const { job_id } = JSON.parse(await response.text())
      await using unread = new AsyncDisposableStack()
      for (let count = 0; count < 40; count++) {
        const connection = unread.use(await connectTo(holdall.address))
        connection.pause()
        await connection.send(
          `GET /jobs/${job_id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`,
        )
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
    expectAllAnswered(times)
    expect(percentile(times, 90)).toBeLessThan(SLOW_HEALTH_MS)
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

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

async function expectAll(count: number, status: number, request: () => Promise<Response>): Promise<void> {
  const responses = await Promise.all(Array.from({ length: count }, request))
  expect(responses.map((response) => response.status)).toEqual(responses.map(() => status))
}
