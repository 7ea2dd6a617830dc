import { expect, test } from 'bun:test'
import { ConnectionDesk, ConnectionTaken } from '../../server/engine/connection-desk.ts'
import { type ConnectionClient, ConnectionPool } from '../../server/fetching/connection-pool.ts'

const HOST = 'example.org:443'

test('a connection that goes well serves the next URL of the same job, without asking the pool', async () => {
  const { desk, grants } = openDesk()
  const first = await desk.lease(HOST)
  const second = desk.lease(HOST)
  first.release('well')
  await second
  expect(grants).toEqual([HOST])
})

test('a connection under strain goes back to the pool, and comes from there to the next URL', async () => {
  const { desk, grants } = openDesk()
  const first = await desk.lease(HOST)
  const second = desk.lease(HOST)
  first.release('strained')
  await second
  expect(grants).toEqual([HOST, HOST])
})

test('a connection that no URL of the job waits for goes to another job', async () => {
  const { desk, pool } = openDesk()
  const other: string[] = []
  const lease = await desk.lease(HOST)
  pool.request({ group: 'other', granted: (host) => void other.push(host), taken() {} }, HOST)
  expect(other).toEqual([])
  lease.release('well')
  expect(other).toEqual([HOST])
})

test('a connection that goes to another user ends what is done on it, and does not serve the job again', async () => {
  const { desk, pool, clients } = openDesk(2)
  const other: string[] = []
  await desk.lease(HOST)
  const lease = await desk.lease(HOST)
  pool.request({ group: 'other', granted: (host) => void other.push(host), taken() {} }, HOST)
  const next = desk.lease(HOST)
  for (const client of clients) client.taken(HOST)
  expect(lease.signal.reason).toBeInstanceOf(ConnectionTaken)
  lease.release('well')
  expect(other).toEqual([HOST])
  next.catch(() => {})
})

test('the end of a job ends what is done on its connections', async () => {
  const { desk, end } = openDesk()
  const lease = await desk.lease(HOST)
  end.abort(new Error('over'))
  expect(lease.signal.reason).toEqual(new Error('over'))
})

/** The desk of a job at a pool that has so many connections. */
function openDesk(total = 1) {
  const pool = new ConnectionPool({ total, perHost: total })
  const grants: string[] = []
  const clients: ConnectionClient[] = []
  const end = new AbortController()
  const desk = new ConnectionDesk((answers) => {
    const client: ConnectionClient = {
      ...answers,
      group: 'one',
      granted: (host: string) => {
        grants.push(host)
        answers.granted(host)
      },
    }
    clients.push(client)
    return {
      request: (host) => pool.request(client, host),
      release: (host, verdict) => pool.release(client, host, verdict),
    }
  }, end.signal)
  return { desk, pool, grants, clients, end }
}
