// test group: prompt
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, signInOwner } from '../support/client.ts'
import { connectTo } from '../support/connection.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { expectAllAnswered, probeHealth } from '../support/health-probe.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

const MAX_MEMORY_BYTES = 300_000_000
const TEST_TIMEOUT_MS = 240_000

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

/** As many of the longest names as a job may have: of folders, each of nearly 255 bytes. */
const longNamed = () =>
  Array.from({ length: 480 }, (_, index) => ({
    url: origin.url(`/bytes/20?${index}`),
    filename: Array.from({ length: 16 }, (_, folder) => `${index}-${folder}-`.padEnd(250, 'n')).join('/'),
  }))

const pathOf = (url: string | undefined) => new URL(url ?? '').pathname

/**
 * With how many clients, nearly as many as one address may have, or fewer where each response takes many reads. Each makes what is
 * asked for, and tells its path.
 */
const RESPONSES: [number, string, (client: Client) => Promise<string>][] = [
  [
    900,
    'a job of 5,000 URLs of 8 KB',
    async (client) => {
      const urls = Array.from({ length: 5_000 }, (_, index) =>
        `http://127.0.0.1:9/${index}`.padEnd(8_192, 'x'),
      )
      return `/jobs/${await client.createJob({ urls })}`
    },
  ],
  [
    900,
    'a text of 9 MB out of an archive',
    async (client) => {
      const urls = [origin.url('/bytes/9000000?type=text/plain')]
      const job = await client.untilEnded(await client.createJob({ urls }))
      return `${pathOf(job.download_url)}/entries/0`
    },
  ],
  [
    200,
    'a ZIP of the files with the longest names out of an archive',
    async (client) => {
      const files = longNamed()
      const job = await client.untilEnded(await client.createJob({ files }))
      return `${pathOf(job.download_url)}/selection?positions=0-479`
    },
  ],
  [
    900,
    'the list of the files with the longest names of an archive',
    async (client) => {
      const files = longNamed()
      const job = await client.untilEnded(await client.createJob({ files }))
      return `${pathOf(job.download_url)}/entries?limit=1000`
    },
  ],
]

test.each(RESPONSES)(
  '%d clients that read nothing of %s: memory stays below 300 MB',
  async (clients, _what, prepare) => {
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const path = await prepare(client)
    const probe = await probeHealth(holdall.address)
    using unread = new DisposableStack()
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    await Promise.all(
      Array.from({ length: clients }, async () => {
        const connection = unread.use(await connectTo(holdall.address))
        await connection.send(request)
        await connection.received(1)
        connection.pause()
      }),
    )
    await untilSteady(holdall)
    const times = await probe.finish()
    expectAllAnswered(times)
    expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
  },
  TEST_TIMEOUT_MS,
)

/** Waits until the peak of its memory has not grown for a second: then it has read ahead for all clients. */
async function untilSteady(holdall: Holdall): Promise<void> {
  let before = 0
  const isSteady = () => {
    const hasGrown = before < holdall.peakMemoryBytes()
    before = holdall.peakMemoryBytes()
    return !hasGrown
  }
  await until('the memory no longer grows', isSteady, { deadlineMs: TEST_TIMEOUT_MS, everyMs: 1_000 })
}
