import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { signIn } from '../support/client.ts'
import { type Connection, connectTo } from '../support/connection.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

const CLIENTS = 5_000
const TEST_TIMEOUT_MS = 120_000

/** What each client sends and then says no more. */
const BEGINNINGS = {
  'have said nothing': '',
  'have sent half a request': 'GET /health HTTP/1.1\r\nHo',
  'have had an answer': 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
}

test.each([
  [1_024, 'have said nothing'],
  [1_024, 'have sent half a request'],
  [1_024, 'have had an answer'],
  [256, 'have said nothing'],
] as const)(
  'With %d descriptors, 5,000 clients that %s keep neither jobs nor new clients out',
  async (descriptors, beginning) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall({ under: ['prlimit', `--nofile=${descriptors}`] })
    const client = await signIn(await holdall.signInLink())
    const urls = (from: number) =>
      Array.from({ length: 200 }, (_, index) =>
        origin.url(`/bytes/300000?framing=chunked&delay_ms=50&${from + index}`),
      )
    const running = await client.createJob({ urls: urls(0) })
    // Bun ends the process when a thread starts while no descriptor is free, as in the first moments of the flood.
    await client.until(running, ({ file_count }) => file_count > 0)
    using idle = new DisposableStack()
    await connectAll(holdall, BEGINNINGS[beginning], idle)

    await expectHealth(holdall)
    const later = await client.createJob({ urls: urls(1_000) })
    for (const jobId of [running, later]) {
      const job = await client.untilEnded(jobId)
      expect([job.status, job.errors]).toEqual(['completed', undefined])
    }
    // What the jobs left to do ends; an accept that spins would not.
    while ((await processorShare(holdall)) >= 0.25) {}
  },
  TEST_TIMEOUT_MS,
)

/** Connections that nobody accepts are left to the system. */
async function connectAll(holdall: Holdall, beginning: string, idle: DisposableStack): Promise<void> {
  const connecting = Array.from({ length: CLIENTS }, async () => {
    const connection: Connection = idle.use(await connectTo(holdall.address))
    if (beginning !== '') await connection.send(beginning)
  })
  await Promise.race([Promise.allSettled(connecting), Bun.sleep(3_000)])
}

async function expectHealth(holdall: Holdall): Promise<void> {
  const response = await fetch(`${holdall.address}/health`, {
    keepalive: false,
    signal: AbortSignal.timeout(30_000),
  })
  expect(response.status).toBe(200)
}

/** Of one processor, over a second. */
async function processorShare({ pid }: Holdall): Promise<number> {
  const before = processorSeconds(pid)
  await Bun.sleep(1_000)
  return processorSeconds(pid) - before
}

/** User and system time, in hundredths of a second (proc(5)). */
function processorSeconds(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
