import { describe, expect, test } from 'bun:test'
import { type ConnectionClient, ConnectionPool } from '../../../server/engine/connections/pool.ts'
import { seededRandom } from '../../support/seeded-random.ts'

/** A client that records what is granted to it and what is revoked. */
interface TestClient extends ConnectionClient {
  readonly hosts: string[]
  readonly segmentHosts: string[]
  readonly revokedHosts: string[]
  readonly revokedSegments: string[]
}

function clientOf(group = 'one user'): TestClient {
  const hosts: string[] = []
  const segmentHosts: string[] = []
  const revokedHosts: string[] = []
  const revokedSegments: string[] = []
  return {
    group,
    thread: { allowed() {} },
    hosts,
    segmentHosts,
    revokedHosts,
    revokedSegments,
    granted: (host, use) => (use === 'source' ? hosts : segmentHosts).push(host),
    revoked: (host, onlySegment) => (onlySegment ? revokedSegments : revokedHosts).push(host),
  }
}

/** Releases what was revoked, as a job does. */
function releaseRevoked(pool: ConnectionPool, client: TestClient): void {
  for (const host of client.revokedHosts.splice(0)) pool.release(client, host, 'unknown')
}

function requestTimes(pool: ConnectionPool, client: ConnectionClient, host: string, times: number): void {
  for (let time = 0; time < times; time++) pool.request(client, host)
}

describe('connections to one host', () => {
  test('start at 8, and after the first 8 each healthy connection adds one, up to the limit per host', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    expect(client.hosts).toHaveLength(8)
    for (let time = 0; time < 8; time++) pool.release(client, 'a:80', 'healthy')
    expect(client.hosts.length - 8).toBe(8)
    pool.release(client, 'a:80', 'healthy')
    expect(client.hosts.length - 9).toBe(9)
    for (let time = 0; time < 40; time++) pool.release(client, 'a:80', 'healthy')
    expect(client.hosts.length - 49).toBe(32)
  })

  test('are halved once when several connections report that the host is strained', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    for (let time = 0; time < 8; time++) pool.release(client, 'a:80', 'strained')
    expect(client.hosts).toHaveLength(8 + 4)
  })

  test('never fall below one', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    requestTimes(pool, client, 'a:80', 100)
    for (let time = 0; time < 60; time++) pool.release(client, 'a:80', 'strained')
    const before = client.hosts.length
    pool.release(client, 'a:80', 'unknown')
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
    for (let time = 0; time < 10; time++) pool.release(client, client.hosts[time] ?? '', 'unknown')
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
    while (client.hosts.length < 40) pool.release(client, client.hosts.at(-1) ?? '', 'healthy')
    const turns = (host: string, count: number) => Array.from({ length: count }, () => host)
    expect(client.hosts).toEqual([...turns('a:80', 17), ...turns('b:80', 17), ...turns('a:80', 6)])
  })

  test('clients alternate: a long job does not starve a short one', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const large = clientOf()
    const small = clientOf()
    requestTimes(pool, large, 'a:80', 1000)
    requestTimes(pool, small, 'a:80', 3)
    for (let time = 0; time < 6; time++) pool.release(large, 'a:80', 'unknown')
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
    pool.release(leaving, 'a:80', 'healthy')
    expect(next.hosts).toHaveLength(4)
    expect(leaving.hosts).toHaveLength(4)
  })
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
    pool.release(large, 'a:80', 'unknown')
    expect([other.hosts, large.segmentHosts]).toEqual([['b:80'], []])
    pool.release(large, 'a:80', 'unknown')
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
    for (const host of client.segmentHosts.splice(0)) pool.release(client, host, 'healthy', 'segment')
    pool.release(client, 'a:80', 'healthy')
    expect(pool.open).toBe(5)
  })

  test('give way to the sources of the same user: to another host if all connections are taken', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const [large, other] = [clientOf(), clientOf()]
    requestTimes(pool, large, 'a:80', 1)
    requestSegments(pool, large, 'a:80', 10)
    requestTimes(pool, other, 'b:80', 2)
    expect(large.revokedSegments).toEqual(['a:80', 'a:80'])
    for (const host of large.revokedSegments) pool.release(large, host, 'unknown', 'segment')
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
    expect(client.revokedSegments).toEqual(['a:80', 'a:80'])
    expect(client.revokedHosts).toEqual([])
  })

  test('are not taken from another user for segments, and never from one that holds no more than a fair share', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const [busy, other] = [clientOf('busy'), clientOf('other')]
    requestTimes(pool, busy, 'a:80', 4)
    requestSegments(pool, other, 'b:80', 4)
    pool.rebalance()
    expect(busy.revokedHosts).toEqual([])
    const [one, two] = [clientOf('one'), clientOf('two')]
    const even = new ConnectionPool({ total: 4, perHost: 4 })
    requestTimes(even, one, 'a:80', 1)
    requestSegments(even, one, 'a:80', 1)
    requestTimes(even, two, 'a:80', 10)
    even.rebalance()
    expect([one.revokedHosts, one.revokedSegments]).toEqual([[], []])
  })

  test('are shared evenly with the sources of another user', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const [large, other] = [clientOf('large'), clientOf('other')]
    requestTimes(pool, large, 'a:80', 1)
    requestSegments(pool, large, 'a:80', 7)
    requestTimes(pool, other, 'a:80', 100)
    pool.rebalance()
    expect(large.revokedHosts).toHaveLength(4)
    for (const host of large.revokedHosts) pool.release(large, host, 'unknown', 'segment')
    expect(other.hosts).toHaveLength(4)
    pool.rebalance()
    expect(large.revokedHosts).toHaveLength(4)
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
  pool.release(client, 'a:80', 'strained')
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
    expect(jobs.flatMap(({ revokedHosts }) => revokedHosts)).toEqual([])
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
    expect(busy.revokedHosts).toEqual(['slow:80'])
    releaseRevoked(pool, busy)
    expect(light.hosts).toEqual(['quick:80'])
    pool.release(light, 'quick:80', 'healthy')
    requestTimes(pool, other, 'quick:80', 100)
    pool.rebalance()
    releaseRevoked(pool, busy)
    expect(other.hosts).toHaveLength(4)
    pool.rebalance()
    expect([...busy.revokedHosts, ...other.revokedHosts]).toEqual([])
  })

  test('are at most half of those to one host while another user waits for that host', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 8 })
    const busy = clientOf('busy')
    const other = clientOf('other')
    requestTimes(pool, busy, 'slow:80', 100)
    requestTimes(pool, busy, 'free:80', 2)
    requestTimes(pool, other, 'slow:80', 100)
    pool.rebalance()
    expect(new Set(busy.revokedHosts)).toEqual(new Set(['slow:80']))
    releaseRevoked(pool, busy)
    expect(other.hosts).toHaveLength(5)
    pool.rebalance()
    expect([...busy.revokedHosts, ...other.revokedHosts]).toEqual([])
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
        revoked = clients.reduce((sum, { revokedHosts }) => sum + revokedHosts.length, 0)
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
  for (let time = 0; time < 2; time++) pool.release(client, 'a:80', 'healthy')
  expect(pool.open).toBe(2)
  pool.release(client, 'a:80', 'healthy')
  expect([pool.open, client.hosts.length]).toEqual([2, 5])
  requestTimes(pool, client, 'b:80', 3)
  expect(pool.open).toBe(2)
  pool.changeBounds({ total: 4, perHost: 8 })
  expect(pool.open).toBe(4)
  pool.rebalance()
})
