import { describe, expect, test } from 'bun:test'
import type { GrantedConnection, LeaseUse, Verdict } from '../../../../server/engine/connections/lease.ts'
import {
  type ConnectionClient,
  ConnectionPool,
} from '../../../../server/engine/connections/pool/connection-pool.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

/** A client that records what is granted to it and what is revoked. */
interface TestClient extends ConnectionClient {
  /** The hosts of all grants for sources so far. */
  readonly hosts: string[]
  readonly segmentHosts: string[]
  /** What it has not released yet. */
  readonly held: GrantedConnection[]
  readonly revokedGrants: GrantedConnection[]
}

function clientOf(group = 'one user'): TestClient {
  const hosts: string[] = []
  const segmentHosts: string[] = []
  const held: GrantedConnection[] = []
  const revokedGrants: GrantedConnection[] = []
  return {
    group,
    thread: { allowed() {} },
    hosts,
    segmentHosts,
    held,
    revokedGrants,
    granted(grant) {
      held.push(grant)
      if (grant.use === 'source') hosts.push(grant.host)
      else segmentHosts.push(grant.host)
    },
    revoked: (grant) => revokedGrants.push(grant),
  }
}

/** Releases the connection to the host that the client was granted first. */
function release(
  pool: ConnectionPool,
  client: TestClient,
  host: string,
  verdict: Verdict,
  use: LeaseUse = 'source',
): void {
  const grant = client.held.find((held) => held.host === host && held.use === use)
  if (grant === undefined) throw new RangeError(`no connection to ${host} is held`)
  releaseGrant(pool, client, grant, verdict)
}

function releaseGrant(
  pool: ConnectionPool,
  client: TestClient,
  grant: GrantedConnection,
  verdict: Verdict,
): void {
  client.held.splice(
    client.held.findIndex(({ leaseId }) => leaseId === grant.leaseId),
    1,
  )
  pool.release(client, grant.leaseId, verdict)
}

/** Releases what was revoked, as a job does. */
function releaseRevoked(pool: ConnectionPool, client: TestClient): void {
  for (const grant of client.revokedGrants.splice(0)) releaseGrant(pool, client, grant, 'unknown')
}

function hostsOf(grants: readonly GrantedConnection[]): string[] {
  return grants.map(({ host }) => host)
}

function requestTimes(pool: ConnectionPool, client: ConnectionClient, host: string, times: number): void {
  for (let time = 0; time < times; time++) pool.request(client, host, 'source')
}

describe('connections to one host', () => {
  test('start at 8, and after the first 8 each healthy connection adds one, up to the limit per host', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    expect(client.hosts).toHaveLength(8)
    for (let time = 0; time < 8; time++) release(pool, client, 'a:80', 'healthy')
    expect(client.hosts.length - 8).toBe(8)
    release(pool, client, 'a:80', 'healthy')
    expect(client.hosts.length - 9).toBe(9)
    for (let time = 0; time < 40; time++) release(pool, client, 'a:80', 'healthy')
    expect(client.hosts.length - 49).toBe(32)
  })

  test('are halved once when several connections report that the host is strained', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    for (let time = 0; time < 8; time++) release(pool, client, 'a:80', 'strained')
    expect(client.hosts).toHaveLength(8 + 4)
  })

  test('never fall below one', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    for (let time = 0; time < 60; time++) release(pool, client, 'a:80', 'strained')
    const before = client.hosts.length
    release(pool, client, 'a:80', 'unknown')
    expect(client.hosts.length).toBeGreaterThanOrEqual(before)
    expect(client.hosts.length).toBeLessThan(100)
  })
})

describe('all connections together', () => {
  test('stay within the limit, and the hosts of a client alternate', () => {
    const pool = new ConnectionPool({ total: 10, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'slow:80', 100)
    requestTimes(pool, client, 'quick:80', 100)
    expect(client.hosts).toHaveLength(10)
    // The slow host keeps what it holds; each released connection is granted to the next host.
    for (let time = 0; time < 10; time++) release(pool, client, client.hosts[time] ?? '', 'unknown')
    const later = client.hosts.slice(10)
    expect(later.filter((host) => host === 'quick:80').length).toBeGreaterThanOrEqual(5)
  })

  test('a silent host leaves connections for the other hosts', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'silent:80', 1000)
    requestTimes(pool, client, 'quick:80', 100)
    expect(client.hosts.filter((host) => host === 'silent:80')).toHaveLength(8)
    expect(client.hosts.filter((host) => host === 'quick:80')).toHaveLength(8)
  })

  test('a released connection serves its host again, up to 16 times while other hosts wait', () => {
    const pool = new ConnectionPool({ total: 1, perHost: 8 })
    const client = clientOf()
    for (const host of ['a:80', 'b:80']) requestTimes(pool, client, host, 40)
    while (client.hosts.length < 40) release(pool, client, client.hosts.at(-1) ?? '', 'healthy')
    const turns = (host: string, count: number) => Array.from({ length: count }, () => host)
    expect(client.hosts).toEqual([...turns('a:80', 17), ...turns('b:80', 17), ...turns('a:80', 6)])
  })

  test('clients alternate: a long job does not starve a short one', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const large = clientOf()
    const small = clientOf()
    requestTimes(pool, large, 'a:80', 1000)
    requestTimes(pool, small, 'a:80', 3)
    for (let time = 0; time < 6; time++) release(pool, large, 'a:80', 'unknown')
    expect(small.hosts).toHaveLength(3)
  })

  test('a client that leaves releases what it holds, and only once', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const leaving = clientOf()
    const next = clientOf()
    requestTimes(pool, leaving, 'a:80', 10)
    requestTimes(pool, next, 'a:80', 10)
    pool.leave(leaving)
    pool.leave(leaving)
    release(pool, leaving, 'a:80', 'healthy')
    expect(next.hosts).toHaveLength(4)
    expect(leaving.hosts).toHaveLength(4)
  })
})

test('a connection that was released gives nothing back a second time', () => {
  const pool = new ConnectionPool({ total: 2, perHost: 2 })
  const client = clientOf()
  requestTimes(pool, client, 'a:80', 2)
  const [first] = client.held
  for (let time = 0; time < 2; time++) pool.release(client, first?.leaseId ?? 0, 'healthy')
  expect(pool.open).toBe(1)
})

test('a revoked connection counts as free until it is released, also when another one to its host is released before', () => {
  const pool = new ConnectionPool({ total: 4, perHost: 4 })
  const [busy, other] = [clientOf('busy'), clientOf('other')]
  requestTimes(pool, busy, 'a:80', 4)
  requestTimes(pool, other, 'a:80', 1)
  pool.rebalance()
  expect(busy.revokedGrants.map(({ leaseId }) => leaseId)).toEqual([4])
  release(pool, busy, 'a:80', 'unknown')
  expect(other.hosts).toEqual(['a:80'])
  // The fourth is still on its way, and serves the next one.
  requestTimes(pool, other, 'a:80', 1)
  pool.rebalance()
  expect(busy.revokedGrants).toHaveLength(1)
})

describe('connections for segments of a large body', () => {
  function requestSegments(
    pool: ConnectionPool,
    client: ConnectionClient,
    host: string,
    times: number,
  ): void {
    for (let time = 0; time < times; time++) pool.request(client, host, 'segment')
  }

  test('are those that no source waits for, of whatever job', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const [large, other] = [clientOf('large'), clientOf('other')]
    requestTimes(pool, large, 'a:80', 4)
    requestSegments(pool, large, 'a:80', 4)
    requestTimes(pool, other, 'b:80', 1)
    release(pool, large, 'a:80', 'unknown')
    expect([other.hosts, large.segmentHosts]).toEqual([['b:80'], []])
    release(pool, large, 'a:80', 'unknown')
    expect(large.segmentHosts).toEqual(['a:80'])
  })

  test('count like all others', () => {
    const pool = new ConnectionPool({ total: 20, perHost: 6 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 1)
    requestSegments(pool, client, 'a:80', 10)
    requestSegments(pool, client, 'b:80', 2)
    expect(client.segmentHosts.filter((host) => host === 'a:80')).toHaveLength(5)
    expect(pool.open).toBe(8)
    for (const host of client.segmentHosts.splice(0)) release(pool, client, host, 'healthy', 'segment')
    release(pool, client, 'a:80', 'healthy')
    expect(pool.open).toBe(5)
  })

  test('give way to the sources of the same user: to another host if all connections are taken', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const [large, other] = [clientOf(), clientOf()]
    requestTimes(pool, large, 'a:80', 1)
    requestSegments(pool, large, 'a:80', 10)
    requestTimes(pool, other, 'b:80', 2)
    expect(large.revokedGrants).toEqual(large.held.slice(2).toReversed())
    releaseRevoked(pool, large)
    expect(other.hosts).toEqual(['b:80', 'b:80'])
  })

  test('give way to the sources of the same host when that allows no more', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 3 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 1)
    requestSegments(pool, client, 'a:80', 2)
    requestSegments(pool, client, 'b:80', 2)
    requestTimes(pool, client, 'a:80', 5)
    // There are no more than two to give way.
    expect(client.revokedGrants.map(({ host, use }) => [host, use])).toEqual([
      ['a:80', 'segment'],
      ['a:80', 'segment'],
    ])
  })

  test('are not taken from another user for segments, and never from one that holds no more than a fair share', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const [busy, other] = [clientOf('busy'), clientOf('other')]
    requestTimes(pool, busy, 'a:80', 4)
    requestSegments(pool, other, 'b:80', 4)
    pool.rebalance()
    expect(busy.revokedGrants).toEqual([])
    const [one, two] = [clientOf('one'), clientOf('two')]
    const even = new ConnectionPool({ total: 4, perHost: 4 })
    requestTimes(even, one, 'a:80', 1)
    requestSegments(even, one, 'a:80', 1)
    requestTimes(even, two, 'a:80', 10)
    even.rebalance()
    expect(one.revokedGrants).toEqual([])
  })

  test('are shared evenly with the sources of another user', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const [large, other] = [clientOf('large'), clientOf('other')]
    requestTimes(pool, large, 'a:80', 1)
    requestSegments(pool, large, 'a:80', 7)
    requestTimes(pool, other, 'a:80', 100)
    pool.rebalance()
    expect(large.revokedGrants.map(({ use }) => use)).toEqual(Array.from({ length: 4 }, () => 'segment'))
    releaseRevoked(pool, large)
    expect(other.hosts).toHaveLength(4)
    pool.rebalance()
    expect(large.revokedGrants).toEqual([])
  })
})

test('a host gets more connections at once if more bring more, but not after it was strained', () => {
  const pool = new ConnectionPool({ total: 256, perHost: 64 })
  const client = clientOf()
  requestTimes(pool, client, 'a:80', 500)
  expect(pool.open).toBe(8)
  pool.raise('a:80', 48)
  expect(pool.open).toBe(48)
  pool.raise('a:80', 100)
  expect(pool.open).toBe(64)
  release(pool, client, 'a:80', 'strained')
  pool.raise('a:80', 64)
  expect(pool.open).toBe(63)
})

describe('connections of one user', () => {
  test('may be all connections while no other user waits, even for several jobs', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const jobs = [clientOf(), clientOf()]
    for (const [index, job] of jobs.entries()) requestTimes(pool, job, `${index}:80`, 10)
    pool.rebalance()
    expect(jobs.map(({ hosts }) => hosts.length)).toEqual([8, 0])
    expect(jobs.flatMap(({ revokedGrants }) => revokedGrants)).toEqual([])
  })

  test('are at most half of all connections while another user waits, and no more are revoked than that user needs', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const busy = clientOf('busy')
    const light = clientOf('light')
    const other = clientOf('other')
    requestTimes(pool, busy, 'slow:80', 100)
    requestTimes(pool, light, 'quick:80', 1)
    pool.rebalance()
    pool.rebalance()
    expect(hostsOf(busy.revokedGrants)).toEqual(['slow:80'])
    releaseRevoked(pool, busy)
    expect(light.hosts).toEqual(['quick:80'])
    release(pool, light, 'quick:80', 'healthy')
    requestTimes(pool, other, 'quick:80', 100)
    pool.rebalance()
    releaseRevoked(pool, busy)
    expect(other.hosts).toHaveLength(4)
    pool.rebalance()
    expect([...busy.revokedGrants, ...other.revokedGrants]).toEqual([])
  })

  test('are at most half of those to one host while another user waits for that host', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 8 })
    const busy = clientOf('busy')
    const other = clientOf('other')
    requestTimes(pool, busy, 'slow:80', 100)
    requestTimes(pool, busy, 'free:80', 2)
    requestTimes(pool, other, 'slow:80', 100)
    pool.rebalance()
    expect(new Set(hostsOf(busy.revokedGrants))).toEqual(new Set(['slow:80']))
    releaseRevoked(pool, busy)
    expect(other.hosts).toHaveLength(5)
    pool.rebalance()
    expect([...busy.revokedGrants, ...other.revokedGrants]).toEqual([])
  })

  test('are counted together for all jobs of the user', () => {
    const pool = new ConnectionPool({ total: 9, perHost: 9 })
    const jobs = [clientOf('busy'), clientOf('busy'), clientOf('busy')]
    for (const job of jobs) requestTimes(pool, job, 'slow:80', 3)
    const other = clientOf('other')
    requestTimes(pool, other, 'quick:80', 100)
    pool.rebalance()
    for (const job of jobs) releaseRevoked(pool, job)
    expect(other.hosts).toHaveLength(4)
  })

  test('become evenly shared for any requests, and then no more connections are revoked', () => {
    const random = seededRandom(7)
    const pick = (count: number) => Math.floor(random() * count)
    for (let round = 0; round < 200; round++) {
      const total = 1 + pick(20)
      const pool = new ConnectionPool({ total, perHost: 1 + pick(12) })
      const clients = Array.from({ length: 1 + pick(6) }, (_, index) => clientOf(`user ${index % 3}`))
      for (let step = 0; step < 10; step++) {
        const client = clients[pick(clients.length)]
        if (client !== undefined) requestTimes(pool, client, `${pick(3)}:80`, pick(20))
      }
      let revoked = 0
      for (let times = 0; times < 10; times++) {
        pool.rebalance()
        revoked = clients.reduce((sum, { revokedGrants }) => sum + revokedGrants.length, 0)
        for (const client of clients) releaseRevoked(pool, client)
      }
      expect(revoked).toBe(0)
    }
  })
})

test('other bounds apply to the next connections, and those that are open above them stay until their release', () => {
  const pool = new ConnectionPool({ total: 4, perHost: 4 })
  const client = clientOf()
  requestTimes(pool, client, 'a:80', 10)
  expect(pool.open).toBe(4)
  pool.changeBounds({ total: 2, perHost: 2 })
  for (let time = 0; time < 2; time++) release(pool, client, 'a:80', 'healthy')
  expect(pool.open).toBe(2)
  release(pool, client, 'a:80', 'healthy')
  expect([pool.open, client.hosts.length]).toEqual([2, 5])
  requestTimes(pool, client, 'b:80', 3)
  expect(pool.open).toBe(2)
  pool.changeBounds({ total: 4, perHost: 8 })
  expect(pool.open).toBe(4)
  pool.rebalance()
})
