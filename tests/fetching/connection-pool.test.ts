import { describe, expect, test } from 'bun:test'
import { type ConnectionClient, ConnectionPool } from '../../server/fetching/connection-pool.ts'

/** A client that writes down what it is granted. */
function clientOf(): ConnectionClient & { readonly hosts: string[] } {
  const hosts: string[] = []
  return { hosts, granted: (host) => hosts.push(host) }
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
