import { expect, test } from 'bun:test'
import { LeaseQueue, LeaseRevoked } from '../../server/engine/lease-queue.ts'
import { type ConnectionClient, ConnectionPool } from '../../server/fetching/connection-pool.ts'

const HOST = 'example.org:443'

test('a healthy connection is reused for the next URL of the same job, without a new request to the pool', async () => {
  const { queue, grants } = openQueue()
  const first = await queue.lease(HOST)
  const second = queue.lease(HOST)
  first.release('well')
  await second
  expect(grants).toEqual([HOST])
})

test('a connection to a strained host is returned to the pool, and the next URL requests a new one', async () => {
  const { queue, grants } = openQueue()
  const first = await queue.lease(HOST)
  const second = queue.lease(HOST)
  first.release('strained')
  await second
  expect(grants).toEqual([HOST, HOST])
})

test('a connection that no URL of the job waits for is granted to another job', async () => {
  const { queue, pool } = openQueue()
  const other: string[] = []
  const lease = await queue.lease(HOST)
  pool.request({ group: 'other', granted: (host) => void other.push(host), revoked() {} }, HOST)
  expect(other).toEqual([])
  lease.release('well')
  expect(other).toEqual([HOST])
})

test('a revoked connection aborts its attempt and is not reused by the same job', async () => {
  const { queue, pool, clients } = openQueue(2)
  const other: string[] = []
  await queue.lease(HOST)
  const lease = await queue.lease(HOST)
  pool.request({ group: 'other', granted: (host) => void other.push(host), revoked() {} }, HOST)
  const next = queue.lease(HOST)
  for (const client of clients) client.revoked(HOST)
  expect(lease.signal.reason).toBeInstanceOf(LeaseRevoked)
  lease.release('well')
  expect(other).toEqual([HOST])
  next.catch(() => {})
})

test('the end of a job aborts the attempts on its connections', async () => {
  const { queue, end } = openQueue()
  const lease = await queue.lease(HOST)
  end.abort(new Error('over'))
  expect(lease.signal.reason).toEqual(new Error('over'))
})

/** The queue of a job at a pool that has so many connections. */
function openQueue(total = 1) {
  const pool = new ConnectionPool({ total, perHost: total })
  const grants: string[] = []
  const clients: ConnectionClient[] = []
  const end = new AbortController()
  const queue = new LeaseQueue((listener) => {
    const client: ConnectionClient = {
      ...listener,
      group: 'one',
      granted: (host: string) => {
        grants.push(host)
        listener.granted(host)
      },
    }
    clients.push(client)
    return {
      request: (host) => pool.request(client, host),
      release: (host, verdict) => pool.release(client, host, verdict),
    }
  }, end.signal)
  return { queue, pool, grants, clients, end }
}
