import { describe, expect, test } from 'bun:test'
import { type Lease, LeaseRevoked, type OpenLeaseChannel } from '../../../server/engine/connections/lease.ts'
import { LeaseQueue } from '../../../server/engine/connections/lease-queue.ts'
import { type ConnectionClient, ConnectionPool } from '../../../server/engine/connections/pool.ts'

const HOST = 'example.org:443'

test('a healthy connection is reused for the next URL of the same job, without a new request to the pool', async () => {
  const { queue, grants } = openQueue()
  const first = await queue.lease(HOST)
  const second = queue.lease(HOST)
  first.release('healthy')
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

test('a connection that was held for long is returned to the pool, which shares it between users', async () => {
  let nowMs = 0
  const { queue, grants } = openQueue(1, 1, () => nowMs)
  const first = await queue.lease(HOST)
  const second = queue.lease(HOST)
  nowMs = 1000
  first.release('healthy')
  await second
  expect(grants).toEqual([HOST, HOST])
})

describe('a connection continues with the next URL of the job', () => {
  test('after a small body', async () => {
    const { queue, grants } = openQueue()
    const lease = await queue.lease(HOST)
    expect([lease.keepForNextSource(), lease.keepForNextSource()]).toEqual([true, true])
    expect(grants).toEqual([HOST])
    lease.release('healthy')
  })

  test('but not when it was held for long: the pool shares it between users', async () => {
    let nowMs = 0
    const { queue } = openQueue(1, 1, () => nowMs)
    const lease = await queue.lease(HOST)
    nowMs = 1000
    expect(lease.keepForNextSource()).toBe(false)
  })

  test('for a short time at first, so that the limit of the host soon rises, and then for longer', async () => {
    let nowMs = 0
    const { queue } = openQueue(1, 1, () => nowMs)
    for (const [grantedMs, usableMs] of [
      [0, 5],
      [20, 20],
      [100, 40],
    ] as const) {
      nowMs = grantedMs
      const lease = await queue.lease(HOST)
      nowMs = grantedMs + usableMs - 1
      expect(lease.keepForNextSource()).toBe(true)
      nowMs = grantedMs + usableMs
      expect(lease.keepForNextSource()).toBe(false)
      lease.release('healthy')
    }
  })

  test('but not after a large body, since the host may have too many of them', async () => {
    const { queue } = openQueue()
    const lease = await queue.lease(HOST)
    lease.bodyIsLarge()
    expect(lease.keepForNextSource()).toBe(false)
  })

  test('but not when it is needed for another user, or when the job ends', async () => {
    const { queue, clients, end } = openQueue(2)
    const [first, second] = await Promise.all([queue.lease(HOST), queue.lease(HOST)])
    for (const client of clients) client.revoked(HOST, false)
    expect([first.keepForNextSource(), second.keepForNextSource()]).toEqual([true, false])
    end.abort(new Error('over'))
    expect(first.keepForNextSource()).toBe(false)
  })

  test('and URLs that wait meanwhile get more connections, as if it had been released', async () => {
    const { queue, pool } = openQueue(64, 32)
    raiseLimit(pool)
    const first = await queue.lease(HOST)
    let leased = 1
    for (let n = 0; n < 31; n++) void queue.lease(HOST).then(() => (leased += 1))
    await Bun.sleep(0)
    // Until a body is known to be small, all count as large.
    expect(leased).toBe(8)
    for (let n = 0; n < 32; n++) first.keepForNextSource()
    await Bun.sleep(0)
    expect(leased).toBe(32)
  })
})

test('a connection that no URL of the job waits for is granted to another job', async () => {
  const { queue, pool } = openQueue()
  const other: string[] = []
  const lease = await queue.lease(HOST)
  pool.request(
    { group: 'other', granted: (host) => void other.push(host), revoked() {}, thread: THREAD },
    HOST,
  )
  expect(other).toEqual([])
  lease.release('healthy')
  expect(other).toEqual([HOST])
})

test('a revoked connection aborts its attempt and is not reused by the same job', async () => {
  const { queue, pool, clients } = openQueue(2)
  const other: string[] = []
  await queue.lease(HOST)
  const lease = await queue.lease(HOST)
  pool.request(
    { group: 'other', granted: (host) => void other.push(host), revoked() {}, thread: THREAD },
    HOST,
  )
  const next = queue.lease(HOST)
  for (const client of clients) client.revoked(HOST, false)
  expect(lease.aborter.signal.reason).toBeInstanceOf(LeaseRevoked)
  lease.release('healthy')
  expect(other).toEqual([HOST])
  next.catch(() => {})
})

test('the end of a job aborts the attempts on its connections', async () => {
  const { queue, end } = openQueue()
  const lease = await queue.lease(HOST)
  end.abort(new Error('over'))
  expect(lease.aborter.signal.reason).toEqual(new Error('over'))
})

describe('a host that allows 32 connections', () => {
  test('gives a job 8 at a time for large bodies, including requests without a response yet', async () => {
    const { peakAtOnce } = await fetchAll(100, () => true)
    expect(peakAtOnce).toBe(8)
  })

  test('gives a job all 32 for small bodies', async () => {
    const { peakAtOnce } = await fetchAll(300, () => false)
    expect(peakAtOnce).toBe(32)
  })

  test('gives a job all 32 for small bodies with a few large ones among them', async () => {
    const { peakAtOnce, peakLarge } = await fetchAll(600, (n) => n % 20 === 7)
    expect(peakAtOnce).toBe(32)
    expect(peakLarge).toBeWithin(1, 9)
  })

  test('gives a job only 8 soon after its bodies become large, and all 32 when they become small again', async () => {
    const { atOnce } = await fetchAll(900, (n) => n >= 300 && n < 600)
    expect(Math.max(...atOnce.slice(350, 600))).toBe(8)
    expect(Math.max(...atOnce.slice(700))).toBe(32)
  })
})

describe('a large body that further connections can fetch', () => {
  /** A job that receives one large body at 1 MB/s, and is offered to further connections. */
  async function openLarge(total = 64) {
    let nowMs = 0
    const { queue, pool, clients } = openQueue(total, total, () => nowMs)
    const first = await queue.lease(HOST)
    first.bodyIsLarge()
    const segments: Lease[] = []
    const offer = queue.offer(HOST, {
      position: 0,
      giveWay() {},
      divisible: () => ({ bytes: 1_000_000_000, connections: 100 }),
      fetchSegments: (lease) => void segments.push(lease),
    })
    const receive = () => {
      for (let window = 0; window < 3; window++) {
        first.received(250_000)
        nowMs += 250
      }
      first.received(0)
    }
    return { queue, pool, clients, first, segments, offer, receive }
  }

  test('gets as many as 8 large bodies would, when its rate is known', async () => {
    const { first, segments, receive, offer } = await openLarge()
    expect(segments).toEqual([])
    receive()
    expect(segments).toHaveLength(7)
    expect(first.traffic().streams).toBe(8)
    offer[Symbol.dispose]()
    for (const segment of segments.splice(0)) segment.release('healthy')
    receive()
    expect(segments).toEqual([])
  })

  test('gets none while a source waits, and gives way to one that comes', async () => {
    const { queue, segments, receive, clients } = await openLarge(4)
    receive()
    expect(segments).toHaveLength(3)
    expect(segments[0]?.mayGoOn()).toBe(true)
    const source = queue.lease(HOST)
    // The pool has no other connection.
    expect(segments.map(({ aborter }) => aborter.signal.aborted)).toEqual([false, false, true])
    expect(segments[0]?.mayGoOn()).toBe(false)
    segments[2]?.release('unknown')
    await source
    receive()
    expect(segments).toHaveLength(3)
    for (const client of clients) client.revoked(HOST, false)
    expect(segments.map(({ aborter }) => aborter.signal.aborted)).toEqual([false, true, true])
  })

  test('gets none from a host that refused one, for half a minute', async () => {
    const { segments, receive } = await openLarge()
    receive()
    segments.pop()?.release('strained')
    // The others go on.
    expect(segments[0]?.mayGoOn()).toBe(true)
    for (const segment of segments.splice(0)) segment.release('healthy')
    receive()
    expect(segments).toEqual([])
    for (let time = 0; time < 40; time++) receive()
    expect(segments.length).toBeGreaterThan(0)
  })

  test('gets none from a host that does not give the parts that it is asked for', async () => {
    const { queue, segments, receive } = await openLarge()
    queue.stopSegments(HOST)
    receive()
    expect(segments).toEqual([])
  })
})

/** Fetches this many bodies from one host. They end in the order in which they start. */
async function fetchAll(count: number, isLarge: (n: number) => boolean) {
  const { queue, pool } = openQueue(64, 32)
  raiseLimit(pool)
  /** The number of leases of the job when each body got its lease, in order. */
  const atOnce: number[] = []
  let held = 0
  let large = 0
  let peakLarge = 0
  let ended = Promise.resolve()
  const fetchOne = async () => {
    const lease = await queue.lease(HOST)
    held += 1
    const n = atOnce.push(held) - 1
    // All responses begin after all leases that could be granted now.
    await Bun.sleep(0)
    if (isLarge(n)) lease.bodyIsLarge()
    large += Number(isLarge(n))
    peakLarge = Math.max(peakLarge, large)
    const before = ended
    const own = Promise.withResolvers<void>()
    ended = own.promise
    await before
    await Bun.sleep(0)
    held -= 1
    large -= Number(isLarge(n))
    lease.release('healthy')
    own.resolve()
  }
  await Promise.all(Array.from({ length: count }, fetchOne))
  return { atOnce, peakAtOnce: Math.max(...atOnce), peakLarge }
}

/** Raises the limit of the host to its maximum, by enough healthy responses. */
function raiseLimit(pool: ConnectionPool): void {
  const earlier: ConnectionClient = { group: 'earlier', granted() {}, revoked() {}, thread: THREAD }
  for (let time = 0; time < 32; time++) {
    pool.request(earlier, HOST)
    pool.release(earlier, HOST, 'healthy')
  }
}

const THREAD = { allowed() {} }

/** The queue of a job, with a pool of this many connections. */
/** @param nowMs stands still, unless a test moves it */
function openQueue(total = 1, perHost = total, nowMs = () => 0) {
  const pool = new ConnectionPool({ total, perHost })
  const grants: string[] = []
  const clients: ConnectionClient[] = []
  const end = new AbortController()
  const openChannel: OpenLeaseChannel = (listener) => {
    const client: ConnectionClient = {
      ...listener,
      group: 'one',
      thread: THREAD,
      granted: (host, use) => {
        grants.push(host)
        listener.granted(host, use)
      },
    }
    clients.push(client)
    return {
      request: (host, use) => pool.request(client, host, use),
      release: (host, verdict, use) => pool.release(client, host, verdict, use),
      raise: (host, connections) => pool.raise(host, connections),
    }
  }
  const queue = new LeaseQueue(openChannel, 32, end.signal, nowMs)
  return { queue, pool, grants, clients, end }
}
