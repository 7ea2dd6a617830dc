import { expect, test } from 'bun:test'
import { ConnectionPool } from '../../../server/engine/connections/pool/connection-pool.ts'
import { openLeaseClient } from '../../../server/engine/threads/lease-client.ts'
import type { ToRun } from '../../../server/engine/threads/messages.ts'

const HOST = 'example.org:443'
const REQUEST = { kind: 'request', host: HOST, use: 'source' } as const
const grant = (leaseId: number) => ({ leaseId, host: HOST, use: 'source' }) as const
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function openClient() {
  const pool = new ConnectionPool({ total: 3, perHost: 3 })
  const sent: ToRun[] = []
  return {
    pool,
    sent,
    client: openLeaseClient(pool, { group: 'one', thread: { allowed() {} } }, (message) =>
      sent.push(message),
    ),
  }
}

test('all connections granted in one iteration of the event loop are sent in one message', async () => {
  const { client, sent } = openClient()
  client.apply([REQUEST])
  client.apply([REQUEST, REQUEST, REQUEST])
  await nextTurn()
  client.apply([{ kind: 'release', leaseId: 2, verdict: 'healthy' }])
  await nextTurn()
  expect(sent).toEqual([
    { type: 'leasesGranted', grants: [1, 2, 3].map(grant) },
    { type: 'leasesGranted', grants: [grant(4)] },
  ])
})

test('for a connection that is granted and revoked in one iteration of the event loop, the grant is sent first', async () => {
  const { client, sent } = openClient()
  client.apply([REQUEST])
  client.revoked(grant(1))
  await nextTurn()
  expect(sent.map(({ type }) => type)).toEqual(['leasesGranted', 'leaseRevoked'])
})

test('a job that has ended has no connections and gets no new ones', async () => {
  const { client, pool, sent } = openClient()
  client.apply([REQUEST, REQUEST, REQUEST, REQUEST])
  client[Symbol.dispose]()
  await nextTurn()
  expect([pool.open, sent]).toEqual([0, []])
})
