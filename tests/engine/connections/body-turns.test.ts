import { describe, expect, test } from 'bun:test'
import type { DivisibleBody, Lease } from '../../../server/engine/connections/lease.ts'
import { LeaseQueue } from '../../../server/engine/connections/lease-queue.ts'
import { ConnectionPool } from '../../../server/engine/connections/pool/connection-pool.ts'
import { ownChannel } from '../../../server/engine/connections/pool/own-channel.ts'

const HOST = 'example.org:443'
const MB = 1_000_000
const TICK_MS = 50

interface HostOptions {
  readonly bodies?: number
  readonly sizeBytes?: number
  /** What all connections bring together, in bytes per second. */
  readonly lineRate?: number
  /** What all connections to a body bring together. */
  readonly rateOf?: (position: number) => number
  readonly readers?: number
  /** Smaller than what a further connection would be opened for. */
  readonly isSmall?: (position: number) => boolean
}

/** A job that fetches bodies from one host, by a clock that the test moves. */
class Host {
  readonly #options: HostOptions
  readonly #queue: LeaseQueue
  readonly #bodies: Body[] = []
  readonly pool = new ConnectionPool({ total: 64, perHost: 32 }, () => this.#nowMs)
  readers: number
  /** Of the bodies that are whole, in the order in which they came to be. */
  readonly whole: number[] = []
  mostConnections = 0
  #nowMs = 0

  constructor(options: HostOptions) {
    this.#options = options
    this.readers = options.readers ?? 1
    this.#queue = new LeaseQueue(
      ownChannel(this.pool, { group: 'one', thread: { allowed() {} } }),
      32,
      new AbortController().signal,
      () => this.#nowMs,
      () => this.readers,
    )
    const { bodies = 10, sizeBytes = 100 * MB, isSmall = () => false } = options
    for (let position = 0; position < bodies; position++)
      this.#bodies.push(new Body(position, isSmall(position) ? 20_000 : sizeBytes, this.#queue))
  }

  get arriving(): number[] {
    return this.#bodies.filter((body) => body.connections.length > 0).map(({ position }) => position)
  }

  get timesHeldBack(): number {
    return this.#bodies.reduce((sum, { timesHeldBack }) => sum + timesHeldBack, 0)
  }

  get seconds(): number {
    return this.#nowMs / 1000
  }

  async run(seconds: number): Promise<void> {
    for (let tick = 0; tick < (seconds * 1000) / TICK_MS; tick++) await this.#tick()
  }

  /** Until so many bodies are whole. */
  async runTo(whole: number): Promise<void> {
    while (this.whole.length < whole && this.seconds < 1000) await this.#tick()
  }

  async #tick(): Promise<void> {
    // Sources get the connections that are granted to them.
    for (let turn = 0; turn < 4; turn++) await Promise.resolve()
    const { lineRate = 25 * MB, rateOf = () => Infinity } = this.#options
    const count = this.pool.open
    this.mostConnections = Math.max(this.mostConnections, count)
    this.#nowMs += TICK_MS
    for (const body of this.#bodies) {
      const { connections, position } = body
      for (const lease of [...connections]) {
        const rate = Math.min(lineRate / count, rateOf(position) / connections.length)
        body.receive(lease, Math.round((rate * TICK_MS) / 1000))
      }
      if (body.missingBytes <= 0 && !this.whole.includes(position)) this.whole.push(position)
    }
  }
}

class Body implements DivisibleBody {
  readonly position: number
  connections: Lease[] = []
  missingBytes: number
  timesHeldBack = 0
  readonly #queue: LeaseQueue
  readonly #sizeBytes: number
  #own: Lease | null = null
  #offer: Disposable | null = null

  constructor(position: number, sizeBytes: number, queue: LeaseQueue) {
    this.position = position
    this.missingBytes = sizeBytes
    this.#sizeBytes = sizeBytes
    this.#queue = queue
    void this.#begin(false)
  }

  divisible({ streamBytesPerSecond }: { readonly streamBytesPerSecond: number }) {
    // Each connection has begun three seconds of it.
    const bytes = Math.max(0, this.missingBytes - this.connections.length * streamBytesPerSecond * 3)
    return { bytes, connections: Math.floor(bytes / Math.max(streamBytesPerSecond, 256 * 1024)) }
  }

  fetchSegments(lease: Lease): void {
    this.connections.push(lease)
  }

  holdBack(): void {
    this.timesHeldBack += 1
    this.#end('unknown')
    void this.#begin(true)
  }

  receive(lease: Lease, bytes: number): void {
    if (lease.aborter.signal.aborted || !this.connections.includes(lease)) {
      if (lease === this.#own) this.holdBack()
      else this.#release(lease)
      return
    }
    this.missingBytes -= bytes
    lease.received(bytes)
    if (this.missingBytes <= 0) this.#end('healthy')
    else if (lease !== this.#own && !lease.mayGoOn()) this.#release(lease)
  }

  async #begin(isHeldBack: boolean): Promise<void> {
    const lease = await this.#queue.lease(HOST, { position: this.position, isHeldBack })
    this.#own = lease
    this.connections = [lease]
    if (this.#sizeBytes <= MB) return
    lease.bodyIsLarge()
    this.#offer = this.#queue.offer(HOST, this)
  }

  #end(verdict: 'healthy' | 'unknown'): void {
    this.#offer?.[Symbol.dispose]()
    for (const lease of this.connections.splice(0)) lease.release(verdict)
  }

  #release(lease: Lease): void {
    this.connections = this.connections.filter((other) => other !== lease)
    lease.release('unknown')
  }
}

/** One with a client that downloads, and one without. */
function hosts(options: HostOptions): [Host, Host] {
  return [new Host(options), new Host({ ...options, readers: 0 })]
}

const IN_ORDER = Array.from({ length: 10 }, (_, position) => position)

describe('While a client downloads the archive', () => {
  test('large bodies of a host arrive one after the other, as fast and over as many connections as all at once', async () => {
    const [host, atOnce] = hosts({})
    await host.run(4)
    expect([host.arriving, host.pool.open]).toEqual([[0], 8])
    await Promise.all([host.runTo(10), atOnce.runTo(10)])
    expect(host.whole).toEqual(IN_ORDER)
    expect(host.seconds).toBeLessThan(atOnce.seconds * 1.03)
    expect(host.mostConnections).toBeLessThanOrEqual(atOnce.mostConnections)
  })

  test('a body that is slow for a reason of its own holds up the others for seconds only', async () => {
    const rateOf = (position: number) => (position === 0 ? 0.2 * MB : Infinity)
    const [host, atOnce] = hosts({ rateOf, bodies: 40 })
    await host.run(3)
    expect(host.arriving).toEqual([0])
    await host.run(3)
    expect(host.arriving).toHaveLength(8)
    await Promise.all([host.runTo(39), atOnce.runTo(39)])
    expect(host.seconds).toBeLessThan(atOnce.seconds * 1.04)
  })

  test('where each body is limited, they arrive nearly as fast as all at once', async () => {
    const [host, atOnce] = hosts({ rateOf: () => 3 * MB, bodies: 40 })
    await Promise.all([host.runTo(40), atOnce.runTo(40)])
    expect(host.seconds).toBeLessThan(atOnce.seconds * 1.06)
  })

  test('bodies that are whole in seconds arrive at once', async () => {
    const host = new Host({ sizeBytes: 8 * MB, bodies: 40 })
    await host.runTo(40)
    expect(host.timesHeldBack).toBe(0)
  })

  test('small bodies do not wait for large ones', async () => {
    const isSmall = (position: number) => position % 10 !== 0
    const [host, atOnce] = hosts({ isSmall, bodies: 200 })
    await Promise.all([host.runTo(200), atOnce.runTo(200)])
    expect(host.seconds).toBeLessThan(atOnce.seconds * 1.03)
  })

  test('a host that refuses connections gets fewer of them, and all bodies arrive', async () => {
    const host = new Host({})
    host.pool.changeBounds({ total: 64, perHost: 3 })
    await host.run(4)
    expect([host.arriving, host.pool.open]).toEqual([[0], 3])
    await host.runTo(10)
    expect(host.whole).toEqual(IN_ORDER)
  })
})

test('When no client downloads the archive any more, all bodies arrive at once again', async () => {
  const host = new Host({})
  await host.run(4)
  expect(host.arriving).toEqual([0])
  host.readers = 0
  await host.run(5)
  expect(host.arriving.length).toBeGreaterThan(6)
})
