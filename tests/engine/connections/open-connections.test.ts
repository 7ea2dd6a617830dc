import { expect, test } from 'bun:test'
import { type Origin, startOrigin } from '../../support/origin.ts'
import { startService } from '../../support/service.ts'
import { connectionsTo } from '../../support/tcp-connections.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const HOSTS = 300
const CONNECTIONS = 64

test('a job of 300 hosts has no more than --connections open, those that are idle included', async () => {
  await using origin = await startOrigin('0.0.0.0')
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), urlsAt(origin, 1))
  const most = await mostOpen(origin, job.run({ bounds: { total: CONNECTIONS, perHost: 32 } }))
  expect(job.errors).toEqual([])
  expect(most).toBeWithin(CONNECTIONS / 2, CONNECTIONS + IN_TRANSIT)
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
  expect(await mostOpen(origin, jobs)).toBeWithin(CONNECTIONS / 2, CONNECTIONS + IN_TRANSIT)
  for (const job of await jobs) expect(job).toMatchObject({ status: 'completed', file_count: 2 * HOSTS })
})

/** Two URLs of each host, so that connections are idle in between. */
function urlsAt(origin: Origin, firstHost: number): string[] {
  const hosts = Array.from({ length: HOSTS }, (_, host) => firstHost + host)
  return [1, 2].flatMap((part) =>
    hosts.map((host) => origin.urlAtHost(host, `/bytes/1000/${host}-${part}.bin`)),
  )
}

/** The most connections that were open while the work was done. */
async function mostOpen(origin: Origin, work: Promise<unknown>): Promise<number> {
  const port = Number(new URL(origin.url('/')).port)
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, connectionsTo(port))
  }, 2)
  await work.finally(() => clearInterval(timer))
  return most
}

/**
 * A thread may close a connection a moment after another thread has made the one that takes its place, and what the system shows of
 * many connections is not of one moment. Before idle ones counted, there were 300 and 800.
 */
const IN_TRANSIT = 16
