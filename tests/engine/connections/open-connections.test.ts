import { expect, test } from 'bun:test'
import { createServer } from 'node:http'
import { type Origin, startOrigin } from '../../support/origin.ts'
import { startService } from '../../support/service.ts'
import { connectionsTo } from '../../support/tcp-connections.ts'
import { listen } from '../../support/tcp-server.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const HOSTS = 300
const CONNECTIONS = 64

test('a job of 300 hosts has no more than --connections open, those that are idle included', async () => {
  await using origin = await startOrigin('0.0.0.0')
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), urlsAt(origin, 1))
  const open = await openDuring(origin, job.run({ bounds: { total: CONNECTIONS, perHost: 32 } }))
  expect(job.errors).toEqual([])
  expect(open.at(-1)).toBeWithin(CONNECTIONS / 2, CONNECTIONS + IN_TRANSIT)
})

test('jobs in several threads have no more than --connections open together', async () => {
  await using origin = await startOrigin('0.0.0.0')
  await using service = await startService({ connections: [String(CONNECTIONS)], jobs: ['3'] })
  const other = await service.addUser('other')
  const jobs = Promise.all(
    [service.key, service.key, other].map((key, index) =>
      service.finishedJob(urlsAt(origin, 1 + index * HOSTS), {}, key),
    ),
  )
  const open = await openDuring(origin, jobs)
  // On a busy machine, a thread closes a connection some time after another thread has made the one that takes its place.
  expect(open[Math.floor(0.9 * open.length)]).toBeWithin(CONNECTIONS / 2, CONNECTIONS + IN_TRANSIT)
  for (const job of await jobs) expect(job).toMatchObject({ status: 'completed', file_count: 2 * HOSTS })
})

test('a job of more hosts than connections does not connect anew for each file', async () => {
  let connections = 0
  const server = createServer((_request, response) => void setTimeout(() => response.end('x'), 20))
  server.on('connection', () => connections++)
  using _ = { [Symbol.dispose]: () => void server.close() }
  const port = await listen(server, '0.0.0.0')
  using dir = tempDir()
  const hosts = Array.from({ length: 50 }, (_, host) => `http://127.0.1.${1 + host}:${port}`)
  const urls = Array.from({ length: 20 }, (_, file) => hosts.map((host) => `${host}/${file}.bin`)).flat()
  const job = testJob(dir.file('a.zip'), urls)
  expect(await job.run({ bounds: { total: 32, perHost: 32 } })).toMatchObject({ fileCount: 1_000 })
  expect(connections).toBeLessThan(500)
})

/** Two URLs of each host, so that connections are idle in between. */
function urlsAt(origin: Origin, firstHost: number): string[] {
  const hosts = Array.from({ length: HOSTS }, (_, host) => firstHost + host)
  return [1, 2].flatMap((part) =>
    hosts.map((host) => origin.urlAtHost(host, `/bytes/1000/${host}-${part}.bin`)),
  )
}

/** How many connections were open at different times while the work was done, the fewest first. */
async function openDuring(origin: Origin, work: Promise<unknown>): Promise<number[]> {
  const port = Number(new URL(origin.url('/')).port)
  const counts: number[] = []
  const timer = setInterval(() => counts.push(connectionsTo(port)), 5)
  await work.finally(() => clearInterval(timer))
  return counts.sort((a, b) => a - b)
}

/** What the system shows of many connections is not of one moment. Before idle ones counted, there were 300 and 800. */
const IN_TRANSIT = 16
