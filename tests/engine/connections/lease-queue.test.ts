import { describe, expect, test } from 'bun:test'
import {
  type GrantedConnection,
  type Lease,
  LeaseRevoked,
  type LeaseWish,
  type OpenLeaseChannel,
} from '../../../server/engine/connections/lease.ts'
import { LeaseQueue } from '../../../server/engine/connections/lease-queue.ts'
import {
  type ConnectionClient,
  ConnectionPool,
} from '../../../server/engine/connections/pool/connection-pool.ts'
import { ownChannel } from '../../../server/engine/connections/pool/own-channel.ts'
import { nextTurn } from '../../support/next-turn.ts'

const HOST = 'example.org:443'
const WISH: LeaseWish = { position: 0, isHeldBack: false }

test('a healthy connection is reused for the next URL of the same job, without a new request to the pool', async () => {
  const { queue, grants } = openQueue()
  const first = await queue.lease(HOST, WISH)
  const second = queue.lease(HOST, WISH)
  first.release('healthy')
  await second
  expect(grants).toHaveLength(1)
})

test('a connection to a strained host is returned to the pool, and the next URL requests a new one', async () => {
  const { queue, grants } = openQueue()
  const first = await queue.lease(HOST, WISH)
  const second = queue.lease(HOST, WISH)
  first.release('strained')
  await second
  expect(grants).toHaveLength(2)
})

test('a connection that was held for long is returned to the pool, which shares it between users', async () => {
  let nowMs = 0
  const { queue, grants } = openQueue(1, 1, () => nowMs)
  const first = await queue.lease(HOST, WISH)
  const second = queue.lease(HOST, WISH)
  nowMs = 1000
  first.release('healthy')
  await second
  expect(grants).toHaveLength(2)
})

describe('a connection continues with the next URL of the job', () => {
  test('after a small body', async () => {
    const { queue, grants } = openQueue()
    const lease = await queue.lease(HOST, WISH)
    expect([lease.keepForNextSource(), lease.keepForNextSource()]).toEqual([true, true])
    expect(grants).toHaveLength(1)
    lease.release('healthy')
  })

  test('but not when it was held for long: the pool shares it between users', async () => {
    let nowMs = 0
    const { queue } = openQueue(1, 1, () => nowMs)
    const lease = await queue.lease(HOST, WISH)
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
      const lease = await queue.lease(HOST, WISH)
      nowMs = grantedMs + usableMs - 1
      expect(lease.keepForNextSource()).toBe(true)
      nowMs = grantedMs + usableMs
      expect(lease.keepForNextSource()).toBe(false)
      lease.release('healthy')
    }
  })

  test('but not after a large body, since the host may have too many of them', async () => {
    const { queue } = openQueue()
    const lease = await queue.lease(HOST, WISH)
    lease.bodyIsLarge()
    expect(lease.keepForNextSource()).toBe(false)
  })

  test('but not when it is needed for another user, or when the job ends', async () => {
    const { queue, revoke, end } = openQueue(2)
    const [first, second] = await Promise.all([queue.lease(HOST, WISH), queue.lease(HOST, WISH)])
    revoke(1)
    expect([first.keepForNextSource(), second.keepForNextSource()]).toEqual([true, false])
    end.abort(new Error('over'))
    expect(first.keepForNextSource()).toBe(false)
  })

  test('and URLs that wait meanwhile get more connections, as if it had been released', async () => {
    const { queue, pool } = openQueue(64, 32)
    raiseLimit(pool)
    const first = await queue.lease(HOST, WISH)
    let leased = 1
    for (let n = 0; n < 31; n++) void queue.lease(HOST, WISH).then(() => (leased += 1))
    await nextTurn()
    // Until a body is known to be small, all count as large.
    expect(leased).toBe(8)
    for (let n = 0; n < 32; n++) first.keepForNextSource()
    await nextTurn()
    expect(leased).toBe(32)
  })
})

test('a connection that no URL of the job waits for is granted to another job', async () => {
  const { queue, pool } = openQueue()
  const lease = await queue.lease(HOST, WISH)
  const other = clientOf('other')
  pool.request(other, HOST, 'source')
  expect(other.grants).toEqual([])
  lease.release('healthy')
  expect(other.grants).toHaveLength(1)
})

test('a revoked connection aborts its attempt and is not reused by the same job', async () => {
  const { queue, pool } = openQueue(2)
  const [first, second] = [await queue.lease(HOST, WISH), await queue.lease(HOST, WISH)]
  const other = clientOf('other')
  pool.request(other, HOST, 'source')
  const next = queue.lease(HOST, WISH)
  pool.rebalance()
  // The one whose attempt began last: that loses the least.
  expect(first.aborter.signal.aborted).toBe(false)
  expect(second.aborter.signal.reason).toBeInstanceOf(LeaseRevoked)
  second.release('healthy')
  expect(other.grants).toHaveLength(1)
  next.catch(() => {})
})

test('a connection that the pool revokes while its release is on the way is no other one of the same job', async () => {
  const { queue, pool, deliver } = openDistantQueue(2)
  const leasing = [queue.lease(HOST, WISH), queue.lease(HOST, WISH)]
  deliver()
  const [first, second] = await Promise.all(leasing)
  const other = clientOf('other')
  pool.request(other, HOST, 'source')
  second?.release('healthy')
  pool.rebalance()
  expect([first, second].map((lease) => lease?.aborter.signal.aborted)).toEqual([false, false])
  deliver()
  expect(other.grants).toHaveLength(1)
  pool.rebalance()
  expect(first?.aborter.signal.aborted).toBe(false)
})

test('a connection that goes to the next URL is still the one that the pool revokes, and the lease before has no part in it', async () => {
  const { queue, pool } = openQueue(2)
  await queue.lease(HOST, WISH)
  const before = await queue.lease(HOST, WISH)
  const waiting = queue.lease(HOST, WISH)
  before.release('healthy')
  const next = await waiting
  before.release('healthy')
  expect(pool.open).toBe(2)
  pool.request(clientOf('other'), HOST, 'source')
  pool.rebalance()
  expect(next.aborter.signal.reason).toBeInstanceOf(LeaseRevoked)
})

test('the end of a job aborts the attempts on its connections', async () => {
  const { queue, end } = openQueue()
  const lease = await queue.lease(HOST, WISH)
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
    const { queue, pool } = openQueue(total, total, () => nowMs)
    const first = await queue.lease(HOST, WISH)
    first.bodyIsLarge()
    const segments: Lease[] = []
    const offer = queue.offer(HOST, {
      position: 0,
      holdBack() {},
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
    return { queue, pool, first, segments, offer, receive }
  }

  test('gets as many as 8 large bodies would, when its rate is known', async () => {
    const { pool, segments, receive, offer } = await openLarge()
    expect(segments).toEqual([])
    receive()
    expect(segments).toHaveLength(7)
    expect(pool.open).toBe(8)
    offer[Symbol.dispose]()
    for (const segment of segments.splice(0)) segment.release('healthy')
    receive()
    expect(segments).toEqual([])
  })

  test('gets none while a source waits, and gives way to one that comes', async () => {
    const { queue, pool, first, segments, receive } = await openLarge(4)
    receive()
    expect(segments).toHaveLength(3)
    expect(segments[0]?.mayGoOn()).toBe(true)
    const source = queue.lease(HOST, WISH)
    // The pool has no other connection.
    expect(segments.map(({ aborter }) => aborter.signal.aborted)).toEqual([false, false, true])
    expect(segments[0]?.mayGoOn()).toBe(false)
    segments[2]?.release('unknown')
    await source
    receive()
    expect(segments).toHaveLength(3)
    pool.request(clientOf('other'), HOST, 'source')
    pool.rebalance()
    // Of what the user holds, a part of a body comes before a source.
    expect(segments.map(({ aborter }) => aborter.signal.aborted)).toEqual([false, true, true])
    expect(first.aborter.signal.aborted).toBe(false)
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
    const lease = await queue.lease(HOST, WISH)
    held += 1
    const n = atOnce.push(held) - 1
    // All responses begin after all leases that could be granted now.
    await nextTurn()
    if (isLarge(n)) lease.bodyIsLarge()
    large += Number(isLarge(n))
    peakLarge = Math.max(peakLarge, large)
    const before = ended
    const own = Promise.withResolvers<void>()
    ended = own.promise
    await before
    await nextTurn()
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
  const earlier = clientOf('earlier')
  for (let time = 0; time < 32; time++) {
    pool.request(earlier, HOST, 'source')
    for (const { leaseId } of earlier.grants.splice(0)) pool.release(earlier, leaseId, 'healthy')
  }
}

const THREAD = { allowed() {} }
const NO_READERS = () => 0

/** A job that holds what it is granted. */
function clientOf(group: string): ConnectionClient & { readonly grants: GrantedConnection[] } {
  const grants: GrantedConnection[] = []
  return { group, grants, granted: (grant) => void grants.push(grant), revoked() {}, thread: THREAD }
}

/**
 * The queue of a job, with a pool of this many connections.
 * @param nowMs stands still, unless a test moves it
 */
function openQueue(total = 1, perHost = total, nowMs = () => 0) {
  const pool = new ConnectionPool({ total, perHost })
  const grants: GrantedConnection[] = []
  const end = new AbortController()
  const revocations: (() => void)[] = []
  const openChannel: OpenLeaseChannel = ({ granted, revoked }) =>
    ownChannel(pool, { group: 'one', thread: THREAD })({
      revoked,
      granted: (grant) => {
        grants.push(grant)
        revocations.push(() => revoked(grant))
        granted(grant)
      },
    })
  const queue = new LeaseQueue(openChannel, 32, end.signal, nowMs, NO_READERS)
  /** Revokes the connection that was granted after so many others. */
  const revoke = (index: number) => revocations[index]?.()
  return { queue, pool, grants, revoke, end }
}

/** The same in another thread: what it tells the pool is on its way until `deliver`. */
function openDistantQueue(total: number) {
  const pool = new ConnectionPool({ total, perHost: total })
  const sent: (() => void)[] = []
  const openChannel: OpenLeaseChannel = (listener) => {
    const near = ownChannel(pool, { group: 'one', thread: THREAD })(listener)
    return {
      request: (host, use) => void sent.push(() => near.request(host, use)),
      release: (leaseId, verdict) => void sent.push(() => near.release(leaseId, verdict)),
      raise: (host, connections) => void sent.push(() => near.raise(host, connections)),
    }
  }
  const deliver = () => {
    for (const message of sent.splice(0)) message()
  }
  const end = new AbortController()
  return { queue: new LeaseQueue(openChannel, 32, end.signal, () => 0, NO_READERS), pool, deliver }
}
