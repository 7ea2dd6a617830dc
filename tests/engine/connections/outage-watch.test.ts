import { describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { HostAvailability } from '../../../server/engine/connections/host-availability.ts'
import { HostConnection } from '../../../server/engine/connections/host-connection.ts'
import { LeaseQueue } from '../../../server/engine/connections/lease-queue.ts'
import { OutageOver, OutageWatch } from '../../../server/engine/connections/outage-watch.ts'
import { ConnectionPool } from '../../../server/engine/connections/pool/connection-pool.ts'
import { ownChannel } from '../../../server/engine/connections/pool/own-channel.ts'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { expectedBytes, expectedSha256 } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { listen } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'
import { until } from '../../support/until.ts'

const HOST = 'a:80'
/** Several times longer than the silence that is noticed. */
const OUTAGE_MS = 1_000
/** Much longer than it takes until a host that is back is connected to. */
const PATIENCE_MS = 5_000
const { silentAfterMs } = FETCH_LIMITS

/** A job with a clock that only `pass` moves, and a network that is there or not. */
function openJob() {
  let nowMs = 1
  const network = { isThere: true, probes: [] as [host: string, atSecond: number][] }
  const watch = new OutageWatch(
    async (host) => {
      network.probes.push([host, Math.floor(nowMs / 1000)])
      return network.isThere
    },
    { silentAfterMs, silenceCheckMs: 2 ** 31 - 1 },
    () => nowMs,
  )
  const pool = new ConnectionPool({ total: 8, perHost: 8 }, () => nowMs)
  const leases = new LeaseQueue(
    ownChannel(pool, { group: 'one user', thread: { allowed() {} } }),
    8,
    new AbortController().signal,
    () => nowMs,
    () => 0,
  )
  const availability = new HostAvailability(FETCH_LIMITS, { hostGivenUp() {}, proxyFailed() {} }, () => nowMs)
  return {
    network,
    connect: () => new HostConnection(leases, availability, async () => {}, watch, null),
    async pass(seconds: number, eachSecond = () => {}) {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1000
        eachSecond()
        await watch.check()
      }
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}

describe('An attempt that was silent while its host was away', () => {
  test('is ended as soon as the host can be connected to again, to be made anew at once', async () => {
    using job = openJob()
    const connection = job.connect()
    const { signal } = await connection.switchTo(HOST)
    connection.answered()
    connection.receives(() => true)
    job.network.isThere = false
    await job.pass(60)
    expect(signal.aborted).toBe(false)
    job.network.isThere = true
    await job.pass(1)
    expect(signal.reason).toBeInstanceOf(OutageOver)
  })

  test('is also ended if it waits for its connection or for the response', async () => {
    using job = openJob()
    const { signal } = await job.connect().switchTo(HOST)
    job.network.isThere = false
    await job.pass(20)
    job.network.isThere = true
    await job.pass(1)
    expect(signal.reason).toBeInstanceOf(OutageOver)
  })

  test('waits if what it has received would be lost', async () => {
    using job = openJob()
    const connection = job.connect()
    const { signal } = await connection.switchTo(HOST)
    connection.receives(() => false)
    job.network.isThere = false
    await job.pass(20)
    job.network.isThere = true
    await job.pass(20)
    expect(signal.aborted).toBe(false)
  })

  test('is also ended if bytes come again sooner than the host is known to be back', async () => {
    using job = openJob()
    const connection = job.connect()
    const { signal } = await connection.switchTo(HOST)
    job.network.isThere = false
    await job.pass(20)
    job.network.isThere = true
    connection.received(1)
    await job.pass(1)
    expect(signal.reason).toBeInstanceOf(OutageOver)
  })

  test('is not mixed up with the next attempt on its connection', async () => {
    using job = openJob()
    const [silent, other] = [job.connect(), job.connect()]
    await silent.switchTo(HOST)
    await other.switchTo(HOST)
    job.network.isThere = false
    await job.pass(20)
    silent.release('healthy')
    const next = await silent.switchTo(HOST)
    job.network.isThere = true
    await job.pass(1)
    expect(next.signal.aborted).toBe(false)
  })
})

test('A host that is slow to answer is left alone, and probed ever more rarely', async () => {
  using job = openJob()
  const { signal } = await job.connect().switchTo(HOST)
  await job.pass(60)
  expect(signal.aborted).toBe(false)
  expect(job.network.probes.map(([, atSecond]) => atSecond)).toEqual([4, 8, 16, 32])
})

test('A host from which bytes come is not probed, nor one that nothing is fetched from', async () => {
  using job = openJob()
  const [busy, idle] = [job.connect(), job.connect()]
  await busy.switchTo(HOST)
  await idle.switchTo('b:80')
  idle.release('healthy')
  await job.pass(60, () => busy.received(1))
  expect(job.network.probes).toEqual([])
})

test.each([
  ['small', 200_000, 100_000],
  ['divisible', 3_000_000, 1_600_000],
])(
  'A %s body that was silenced is continued, whatever its limit of attempts, and nothing is fetched twice',
  async (_what, sizeBytes, silentFrom) => {
    const body = expectedBytes(sizeBytes)
    const sent: { readonly start: number; readonly end: number }[] = []
    const asked = Promise.withResolvers<void>()
    const handler = () =>
      createServer((socket) => {
        socket.on('error', () => {})
        socket.on('data', (request) => {
          const range = /^range: bytes=(\d+)-(\d*)/im.exec(String(request))
          const start = Number(range?.[1] ?? 0)
          const end = range?.[2] ? Number(range[2]) + 1 : sizeBytes
          const status =
            range === null
              ? '200 OK'
              : `206 Partial Content\r\nContent-Range: bytes ${start}-${end - 1}/${sizeBytes}`
          socket.write(
            `HTTP/1.1 ${status}\r\nAccept-Ranges: bytes\r\nETag: "1"\r\nContent-Length: ${end - start}\r\n\r\n`,
          )
          // A part, and then silence; the connection stays.
          const sentEnd = start < silentFrom ? Math.min(end, silentFrom) : end
          sent.push({ start, end: sentEnd })
          socket.write(body.subarray(start, sentEnd))
          asked.resolve()
        })
      })
    using dir = tempDir()
    let server: Server = handler()
    const port = await listen(server)
    const job = testJob(dir.file('a.zip'), [`http://127.0.0.1:${port}/a.bin`])
    const limits = { silentAfterMs: 100, silenceCheckMs: 20, attempts: 1 }
    let outcome: unknown = null
    // Without a rate, no part is asked for.
    const run = job.run({ limits, nowMs: () => 0 }).then((ended) => {
      outcome = ended
    })
    await asked.promise
    await until(
      'everything before the silence is received',
      () => job.progress.at(-1)?.receivedBytes === silentFrom,
    )
    // One outage, and another one if the machine was so busy that it was not noticed: nobody listens, and those who are connected hear
    // nothing.
    for (let outageMs = OUTAGE_MS; sent.length < 2 && outcome === null; outageMs *= 10) {
      server.close()
      await Bun.sleep(outageMs)
      server = handler()
      await listen(server, '127.0.0.1', port)
      await until(
        'a second request is sent or the job has ended',
        () => sent.length === 2 || outcome !== null,
        { deadlineMs: PATIENCE_MS },
      ).catch(() => {})
    }
    await run
    server.close()
    expect(outcome).toMatchObject({ status: 'completed', fileCount: 1 })
    expect(await readZip(job.archivePath)).toMatchObject([
      { name: 'a.bin', sha256: expectedSha256(sizeBytes) },
    ])
    expect(sent.toSorted((a, b) => a.start - b.start)).toEqual([
      { start: 0, end: silentFrom },
      { start: silentFrom, end: sizeBytes },
    ])
  },
)
