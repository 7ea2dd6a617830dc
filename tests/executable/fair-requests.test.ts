// test group: prompt
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, clientOf, signIn } from '../support/client.ts'
import { type Connection, connectTo } from '../support/connection.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { type HealthProbe, percentile, probeHealth } from '../support/health-probe.ts'
import { startHeldSource } from '../support/held-source.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

/** Percentiles of the responses of /health, on a machine that does much else, too. Alone, the 99th is below 50. */
const HEALTH_MS = { 90: 50, 99: 250 } as const
const MAX_MEMORY_BYTES = 300_000_000
const TEST_TIMEOUT_MS = 120_000
const URL_CHARACTERS = 8_192

let origin: Origin
let holdall: Holdall
let owner: Client
let free: Client

beforeAll(async () => {
  origin = await startOrigin()
  holdall = await startHoldall({ args: ['--jobs', '1'] })
  owner = await signIn(await holdall.signInLink())
  free = await signIn(addUser(holdall, 'free', 'free'))
  // The other jobs wait behind this one: this is about requests.
  await owner.createJob({ urls: [origin.url('/silent')] })
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

/** Ends a probe, and expects that `/health` was prompt and memory small meanwhile. */
async function expectPrompt(probe: HealthProbe): Promise<void> {
  const times = await probe.finish()
  const [p90, p99] = [percentile(times, 90), percentile(times, 99)]
  const memoryBytes = holdall.peakMemoryBytes()
  expect(p90).toBeLessThan(HEALTH_MS[90])
  expect(p99).toBeLessThan(HEALTH_MS[99])
  expect(memoryBytes).toBeLessThan(MAX_MEMORY_BYTES)
}

describe('What is looked at before an archive stops no other request:', () => {
  test(
    'twenty pages of 5 MB',
    async () => {
      let html = '<title>Long</title>'
      for (let row = 0; html.length < 5_000_000; row++)
        html += `<p><a href="files/${row}.pdf?a=1&amp;b=2">File ${row}</a></p>\n`
      await using site = startSite({ '/long': html })
      const probe = await probeHealth(holdall.address)
      for (let page = 0; page < 20; page++) {
        const response = await owner.request('POST', '/links', { url: site.url('/long') })
        const { links, meta } = JSON.parse(await response.text())
        expect(links).toHaveLength(10_000)
        expect(meta.total).toBeGreaterThan(50_000)
      }
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'five lists of 5,000 links over 50 hosts, 48 and more at a time',
    async () => {
      await using source = startHeldSource()
      const urls = source.urls(5_000, 50)
      const probe = await probeHealth(holdall.address)
      for (let list = 0; list < 5; list++) {
        source.hold()
        const ended = owner.request('POST', '/probe', { urls }).then((response) => response.text())
        await until('many are asked at a time', () => source.askedCount() >= 48)
        source.release()
        const lines = (await ended).trim().split('\n')
        expect(lines.filter((line) => JSON.parse(line).status === 200)).toHaveLength(5_000)
      }
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )
})

describe('A search of the longest URLs', () => {
  const texts = [
    `${'a'.repeat(254)}b`,
    `b${'a'.repeat(254)}`,
    `${'a'.repeat(127)}b${'a'.repeat(127)}`,
    'A'.repeat(255),
    `${'%_'.repeat(127)}`,
    'http',
  ]

  beforeAll(async () => {
    const urls = (count: number) =>
      Array.from({ length: count }, (_, index) => origin.url(`/${index}/`).padEnd(URL_CHARACTERS, 'a'))
    for (let made = 0; made < 100; made++) await free.createJob({ urls: urls(100) })
    await owner.createJob({ urls: urls(5_000) })
  }, TEST_TIMEOUT_MS)

  test.each<[string, () => Client]>([
    ['100 jobs of 100 URLs, by a free user', () => free],
    ['a job of 5,000 URLs', () => owner],
  ])(
    '%s: /health responds promptly meanwhile, whatever is searched, and eight searches at once',
    async (_what, client) => {
      const probe = await probeHealth(holdall.address)
      for (const text of texts) {
        const search = () => client().request('GET', `/jobs?search=${encodeURIComponent(text)}`)
        const responses = await Promise.all(Array.from({ length: 8 }, search))
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
        for (const response of responses) await response.text()
      }
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'samples and entries of them are read in turns, too',
    async () => {
      const probe = await probeHealth(holdall.address)
      const { jobs } = JSON.parse(await (await owner.request('GET', '/jobs?limit=1')).text())
      for (let round = 0; round < 5; round++) {
        for (const [client, path] of [
          [free, '/jobs?limit=100&sample=24'],
          [owner, `/jobs/${jobs[0].id}/entries?limit=1000`],
          [owner, `/jobs/${jobs[0].id}/entries?limit=1000&status=waiting`],
        ] as const) {
          const response = await client.request('GET', path)
          expect([path, response.status]).toEqual([path, 200])
          await response.arrayBuffer()
        }
      }
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )
})

describe('Bodies that do not end', () => {
  const MEGABYTE = 1_000_000
  const listOf = (bytes: number) => {
    const count = Math.ceil(bytes / URL_CHARACTERS)
    const url = (_: unknown, index: number) => origin.url(`/${index}/`).padEnd(bytes / count - 3, 'x')
    return JSON.stringify({ urls: Array.from({ length: count }, url) })
  }
  const long = () => listOf(19 * MEGABYTE)

  const headOf = (path: string, bytes: number, key?: string) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
      ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ].join('\r\n')

  async function timeOf(client: Client, body: string): Promise<{ status: number; ms: number }> {
    const startedMs = performance.now()
    const response = await client.request('POST', '/jobs', body)
    await response.text()
    return { status: response.status, ms: performance.now() - startedMs }
  }

  test(
    'three of clients without a key do not delay a job of 19 MB',
    async () => {
      using stack = new DisposableStack()
      for (let count = 0; count < 3; count++) {
        const connection = stack.use(await connectTo(holdall.address))
        await connection.send(`${headOf('/sign-in', 100)}\r\n\r\n{`)
      }
      const probe = await probeHealth(holdall.address)
      const { status, ms } = await timeOf(owner, long())
      expect(status).toBe(201)
      // They are given up only after ten seconds.
      expect(ms).toBeLessThan(5_000)
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )

  test(
    "twelve slow ones of a free user do not delay another user's 100 KB, and 19 MB only by seconds",
    async () => {
      using stack = new DisposableStack()
      const connections: Connection[] = []
      for (let count = 0; count < 12; count++) {
        const connection = stack.use(await connectTo(holdall.address))
        connections.push(connection)
        await connection.send(`${headOf('/jobs', 19 * MEGABYTE, free.key)}\r\n\r\n`)
        void connection.send('x'.repeat(MEGABYTE))
      }
      const trickle = setInterval(() => {
        for (const connection of connections) void connection.send('x'.repeat(20_000)).catch(() => {})
      }, 250)
      stack.defer(() => clearInterval(trickle))
      const probe = await probeHealth(holdall.address)
      const another = clientOf(() => holdall.address, owner.key)
      for (let round = 0; round < 3; round++) {
        const { status, ms } = await timeOf(another, listOf(100_000))
        expect(status).toBe(201)
        // A user may not feel what another one does.
        expect(ms).toBeLessThan(1_000)
      }
      const { status, ms } = await timeOf(another, long())
      expect(status).toBe(201)
      expect(ms).toBeLessThan(15_000)
      await expectPrompt(probe)
    },
    TEST_TIMEOUT_MS,
  )
})
