import { describe, expect, test } from 'bun:test'
import { type ConnectionClient, ConnectionPool } from '../../server/fetching/connection-pool.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** A client that writes down what it is granted and what is taken from it. */
interface TestClient extends ConnectionClient {
  readonly hosts: string[]
  readonly takenHosts: string[]
}

function clientOf(group = 'one user'): TestClient {
  const hosts: string[] = []
  const takenHosts: string[] = []
  return {
    group,
    hosts,
    takenHosts,
    granted: (host) => hosts.push(host),
    taken: (host) => takenHosts.push(host),
  }
}

/** Gives back what was taken, as a job does. */
function giveBack(pool: ConnectionPool, client: TestClient): void {
  for (const host of client.takenHosts.splice(0)) pool.release(client, host, 'neutral')
}

function ask(pool: ConnectionPool, client: ConnectionClient, host: string, times: number): void {
  for (let time = 0; time < times; time++) pool.request(client, host)
}

describe('connections to one host', () => {
  test('begin with 8, and one more comes with each that went well, up to the bound of a host', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    ask(pool, client, 'a:80', 100)
    expect(client.hosts).toHaveLength(8)
    pool.release(client, 'a:80', 'well')
    expect(client.hosts).toHaveLength(10)
    for (let time = 0; time < 40; time++) pool.release(client, 'a:80', 'well')
    expect(client.hosts.length - 41).toBe(32)
  })

  test('are halved when the host shows strain, once for all that were open then', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    ask(pool, client, 'a:80', 100)
    for (let time = 0; time < 8; time++) pool.release(client, 'a:80', 'strained')
    expect(client.hosts).toHaveLength(8 + 4)
  })

  test('never fall below one', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    ask(pool, client, 'a:80', 100)
    for (let time = 0; time < 60; time++) pool.release(client, 'a:80', 'strained')
    const before = client.hosts.length
    pool.release(client, 'a:80', 'neutral')
    expect(client.hosts.length).toBeGreaterThanOrEqual(before)
    expect(client.hosts.length).toBeLessThan(100)
  })
})

describe('connections in all', () => {
  test('stay within the bound, and hosts take turns within a client', () => {
    const pool = new ConnectionPool({ total: 10, perHost: 32 })
    const client = clientOf()
    ask(pool, client, 'slow:80', 100)
    ask(pool, client, 'quick:80', 100)
    expect(client.hosts).toHaveLength(10)
    // What the slow host holds, it holds; whatever becomes free goes round.
    for (let time = 0; time < 10; time++) pool.release(client, client.hosts[time] ?? '', 'neutral')
    const later = client.hosts.slice(10)
    expect(later.filter((host) => host === 'quick:80').length).toBeGreaterThanOrEqual(5)
  })

  test('a host that answers nothing leaves room for the others', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 32 })
    const client = clientOf()
    ask(pool, client, 'silent:80', 1000)
    ask(pool, client, 'quick:80', 100)
    expect(client.hosts.filter((host) => host === 'silent:80')).toHaveLength(8)
    expect(client.hosts.filter((host) => host === 'quick:80')).toHaveLength(8)
  })

  test('clients take turns: a large job does not starve a small one', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const large = clientOf()
    const small = clientOf()
    ask(pool, large, 'a:80', 1000)
    ask(pool, small, 'a:80', 3)
    for (let time = 0; time < 6; time++) pool.release(large, 'a:80', 'neutral')
    expect(small.hosts).toHaveLength(3)
  })

  test('what a client holds comes back when it leaves, and nothing more', () => {
    const pool = new ConnectionPool({ total: 4, perHost: 4 })
    const gone = clientOf()
    const next = clientOf()
    ask(pool, gone, 'a:80', 10)
    ask(pool, next, 'a:80', 10)
    pool.leave(gone)
    pool.leave(gone)
    pool.release(gone, 'a:80', 'well')
    expect(next.hosts).toHaveLength(4)
    expect(gone.hosts).toHaveLength(4)
  })
})

describe('connections of one user', () => {
  test('are all there are while nobody else waits, also over many jobs', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const jobs = [clientOf(), clientOf()]
    for (const [index, job] of jobs.entries()) ask(pool, job, `${index}:80`, 10)
    pool.balance()
    expect(jobs.map(({ hosts }) => hosts.length)).toEqual([8, 0])
    expect(jobs.flatMap(({ takenHosts }) => takenHosts)).toEqual([])
  })

  test('are at most half of them while another waits, and no more are taken than that one asks for', () => {
    const pool = new ConnectionPool({ total: 8, perHost: 8 })
    const hog = clientOf('hog')
    const modest = clientOf('modest')
    const other = clientOf('other')
    ask(pool, hog, 'slow:80', 100)
    ask(pool, modest, 'quick:80', 1)
    pool.balance()
    pool.balance()
    expect(hog.takenHosts).toEqual(['slow:80'])
    giveBack(pool, hog)
    expect(modest.hosts).toEqual(['quick:80'])
    pool.release(modest, 'quick:80', 'well')
    ask(pool, other, 'quick:80', 100)
    pool.balance()
    giveBack(pool, hog)
    expect(other.hosts).toHaveLength(4)
    pool.balance()
    expect([...hog.takenHosts, ...other.takenHosts]).toEqual([])
  })

  test('are at most half of those to one host while another waits for it', () => {
    const pool = new ConnectionPool({ total: 64, perHost: 8 })
    const hog = clientOf('hog')
    const other = clientOf('other')
    ask(pool, hog, 'slow:80', 100)
    ask(pool, hog, 'free:80', 2)
    ask(pool, other, 'slow:80', 100)
    pool.balance()
    expect(new Set(hog.takenHosts)).toEqual(new Set(['slow:80']))
    giveBack(pool, hog)
    expect(other.hosts).toHaveLength(5)
    pool.balance()
    expect([...hog.takenHosts, ...other.takenHosts]).toEqual([])
  })

  test('count as those of one user, however many jobs hold them', () => {
    const pool = new ConnectionPool({ total: 9, perHost: 9 })
    const jobs = [clientOf('hog'), clientOf('hog'), clientOf('hog')]
    for (const job of jobs) ask(pool, job, 'slow:80', 3)
    const other = clientOf('other')
    ask(pool, other, 'quick:80', 100)
    pool.balance()
    for (const job of jobs) giveBack(pool, job)
    expect(other.hosts).toHaveLength(4)
  })

  test('become even, whoever asks for what, and then nothing is taken any more', () => {
    const random = seededRandom(7)
    const pick = (count: number) => Math.floor(random() * count)
    for (let round = 0; round < 200; round++) {
      const total = 1 + pick(20)
      const pool = new ConnectionPool({ total, perHost: 1 + pick(12) })
      const clients = Array.from({ length: 1 + pick(6) }, (_, index) => clientOf(`user ${index % 3}`))
      for (let step = 0; step < 10; step++) {
        const client = clients[pick(clients.length)]
        if (client !== undefined) ask(pool, client, `${pick(3)}:80`, pick(20))
      }
      let taken = 0
      for (let turn = 0; turn < 10; turn++) {
        pool.balance()
        taken = clients.reduce((sum, { takenHosts }) => sum + takenHosts.length, 0)
        for (const client of clients) giveBack(pool, client)
      }
      expect(taken).toBe(0)
    }
  })
})
