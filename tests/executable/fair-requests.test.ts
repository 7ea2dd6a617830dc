// test group: prompt
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, clientOf, signIn } from '../support/client.ts'
import { type Connection, connectTo } from '../support/connection.ts'
import { EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { watchService } from '../support/service-watch.ts'

const TEST_TIMEOUT_MS = 240_000
const URL_CHARACTERS = 8_192

let origin: Origin
let holdall: Holdall
let owner: Client
let free: Client

beforeAll(async () => {
  origin = await startOrigin()
  holdall = await startHoldall({ args: ['--jobs', '1'] })
  owner = await signIn(await holdall.signInLink())
  const added = Bun.spawnSync([
    EXECUTABLE,
    'user',
    'add',
    'free',
    '--plan',
    'free',
    '--data',
    holdall.dataDir,
  ])
  const link = /\S+#\S+/.exec(added.stdout.toString())?.[0] ?? ''
  free = await signIn(link)
  // The other jobs wait behind this one: this is about requests.
  await owner.createJob({ urls: [origin.url('/silent')] })
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
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
      const watch = await watchService(holdall)
      for (const text of texts) {
        const search = () => client().request('GET', `/jobs?search=${encodeURIComponent(text)}`)
        const responses = await Promise.all(Array.from({ length: 8 }, search))
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
        for (const response of responses) await response.text()
      }
      await watch.finish('Searches of the longest URLs')
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'samples and entries of them are read in turns, too',
    async () => {
      const watch = await watchService(holdall)
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
      await watch.finish('Samples and entries of the longest URLs')
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
      const watch = await watchService(holdall)
      const { status, ms } = await timeOf(owner, long())
      expect(status).toBe(201)
      // It would wait ten seconds for bodies that do not end.
      expect(ms).toBeLessThan(9_000)
      await watch.finish('Bodies that do not end')
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
      const watch = await watchService(holdall)
      const another = clientOf(() => holdall.address, owner.key)
      for (let round = 0; round < 3; round++) {
        const { status, ms } = await timeOf(another, listOf(100_000))
        expect(status).toBe(201)
        // The slow ones are aborted after two seconds.
        expect(ms).toBeLessThan(1_900)
      }
      const { status, ms } = await timeOf(another, long())
      expect(status).toBe(201)
      expect(ms).toBeLessThan(18_000)
      await watch.finish('Slow bodies of another user')
    },
    TEST_TIMEOUT_MS,
  )
})
