// test group: long
import { expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { signIn } from '../support/client.ts'
import { type Connection, connectTo } from '../support/connection.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { SENT_BEFORE_IDLE } from '../support/idle-clients.ts'
import { startOrigin } from '../support/origin.ts'
import { until } from '../support/until.ts'

const CLIENTS = 5_000
/** How long the test waits for the flood before it goes on beside it. */
const FLOOD_MS = 3_000
const TEST_TIMEOUT_MS = 240_000

test.each([
  [1_024, 'send nothing'],
  [1_024, 'send half a request'],
  [1_024, 'have had a response'],
  [256, 'send nothing'],
] as const)(
  'With %d descriptors, 5,000 clients that %s keep neither jobs nor new clients out',
  async (descriptors, state) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ under: ['prlimit', `--nofile=${descriptors}`] })
    const client = await signIn(await holdall.signInLink())
    const urls = (from: number) =>
      Array.from({ length: 200 }, (_, index) =>
        origin.url(`/bytes/300000?framing=chunked&delay_ms=50&${from + index}`),
      )
    const running = await client.createJob({ urls: urls(0) })
    using idle = new DisposableStack()
    const flood = connectAll(holdall, SENT_BEFORE_IDLE[state], idle)
    await Promise.race([flood, Bun.sleep(FLOOD_MS)])

    await expectHealth(holdall)
    const later = await client.createJob({ urls: urls(1_000) })
    for (const jobId of [running, later]) {
      const job = await client.untilEnded(jobId)
      expect([job.status, job.errors]).toEqual(['completed', undefined])
    }
    // A client that the system has not connected yet tries again after 1, 3 and 7 s.
    await flood
    // What the jobs and the flood have left to do, such as the collection of garbage, ends at some time.
    await until('the service rests', async () => (await processorShare(holdall)) < 0.25, {
      deadlineMs: TEST_TIMEOUT_MS,
    })
  },
  TEST_TIMEOUT_MS,
)

test.each([1_024, 256])(
  'With %d descriptors, jobs that begin while clients hold every one of them have threads and complete',
  async (descriptors) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ under: ['prlimit', `--nofile=${descriptors}`] })
    const client = await signIn(await holdall.signInLink())
    using connections = new DisposableStack()
    const requests = await Promise.all(
      Array.from({ length: CONCURRENT_JOBS }, async (_, index) => {
        const connection = connections.use(await connectTo(holdall.address))
        const [last, ...rest] = [...jobRequest(client.key, origin.url(`/bytes/300000?${index}`))].reverse()
        await connection.send(rest.reverse().join(''))
        return { connection, last: last ?? '' }
      }),
    )
    let isConnecting = true
    const flood = Promise.race([connectAll(holdall, '', connections), Bun.sleep(FLOOD_MS)]).finally(() => {
      isConnecting = false
    })
    // A busy machine may close connections as fast as they come.
    const isFlooded = () => !isConnecting || openDescriptors(holdall) >= descriptors
    await until('clients hold all descriptors', isFlooded, { everyMs: 0 })
    const created = await Promise.all(
      requests.map(async ({ connection, last }) => {
        await connection.send(last)
        return /"job_id":"([^"]+)"/.exec(await connection.until(/"job_id"/))?.[1] ?? ''
      }),
    )
    await flood
    for (const jobId of created) {
      const job = await client.untilEnded(jobId)
      expect([job.status, job.errors]).toEqual(['completed', undefined])
    }
  },
  TEST_TIMEOUT_MS,
)

/** As many as the service runs. */
const CONCURRENT_JOBS = 8

function jobRequest(key: string, url: string): string {
  const body = JSON.stringify({ urls: [url] })
  const head = [
    'POST /jobs HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function openDescriptors({ pid }: Holdall): number {
  return statSync(`/proc/${pid}/fd`).size
}

/** Connects all clients, which send `text`. Resolves when the system has connected or refused every one. */
async function connectAll(holdall: Holdall, text: string, idle: DisposableStack): Promise<void> {
  const connecting = Array.from({ length: CLIENTS }, async () => {
    const connection: Connection = idle.use(await connectTo(holdall.address))
    if (text !== '') await connection.send(text)
  })
  await Promise.allSettled(connecting)
}

async function expectHealth(holdall: Holdall): Promise<void> {
  const response = await fetch(`${holdall.address}/health`, {
    keepalive: false,
    signal: AbortSignal.timeout(30_000),
  })
  expect(response.status).toBe(200)
}

/** The share of one processor that the service uses, measured over a second or more. */
async function processorShare({ pid }: Holdall): Promise<number> {
  const startedMs = performance.now()
  const before = processorSeconds(pid)
  await Bun.sleep(1_000)
  return (processorSeconds(pid) - before) / ((performance.now() - startedMs) / 1_000)
}

/** User and system time (proc(5), in hundredths of a second). */
function processorSeconds(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
