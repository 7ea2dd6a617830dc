import { expect, test } from 'bun:test'
import { ConnectionDesk } from '../../server/engine/connection-desk.ts'
import { ConnectionPool } from '../../server/fetching/connection-pool.ts'

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
  pool.request({ granted: (host) => void other.push(host) }, HOST)
  expect(other).toEqual([])
  lease.release('well')
  expect(other).toEqual([HOST])
})

/** The desk of a job at a pool that has one connection. */
function openDesk() {
  const pool = new ConnectionPool({ total: 1, perHost: 1 })
  const grants: string[] = []
  const desk = new ConnectionDesk((granted) => {
    const client = {
      granted: (host: string) => {
        grants.push(host)
        granted(host)
      },
    }
    return {
      request: (host) => pool.request(client, host),
      release: (host, verdict) => pool.release(client, host, verdict),
    }
  }, new AbortController().signal)
  return { desk, pool, grants }
}
