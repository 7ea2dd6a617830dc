// server/decisions/shares.md says how a limited rate is divided, and why.

/** A job that reads from sources, in whatever thread it runs. */
export interface RateClient {
  /** While several groups wait, each gets the same share. A group is all jobs of one user. */
  readonly group: string
  /** Called once per request, with the bytes that may be read. */
  granted(sizeBytes: number): void
}

/**
 * Runs in the main thread, for all jobs. Bounds how many bytes per second they read together. Whoever waits gets an even share of what
 * has become free since the last time: first by groups, then by the jobs of each. Whoever does not wait has enough: its share goes
 * to the others.
 */
export class RateShares implements Disposable {
  #bytesPerSecond: number
  readonly #nowMs: () => number
  readonly #waiting = new Map<RateClient, { owedBytes: number; grantedBytes: number }>()
  #freeBytes = 0
  #sharedMs: number
  /** Runs while somebody waits. */
  #timer: Timer | undefined

  /** @param nowMs a clock that never jumps */
  constructor(bytesPerSecond: number, nowMs = () => performance.now()) {
    this.#bytesPerSecond = bytesPerSecond
    this.#nowMs = nowMs
    this.#sharedMs = nowMs()
  }

  /** Calls `client.granted` with more than it owes: what it has read beyond its earlier grants. */
  request(client: RateClient, owedBytes: number): void {
    if (this.#waiting.size === 0) this.#free(MOST_SAVED_MS)
    this.#waiting.set(client, { owedBytes, grantedBytes: 0 })
    this.#timer ??= setTimeout(() => this.share(), SHARE_MS)
  }

  /** Another rate, from now on. */
  changeRate(bytesPerSecond: number): void {
    this.#free(MOST_SAVED_MS)
    this.#bytesPerSecond = bytesPerSecond
    this.#freeBytes = 0
  }

  /** The job has ended. */
  leave(client: RateClient): void {
    this.#waiting.delete(client)
  }

  /** Called by the timer. */
  share(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Also after a time in which this thread was busy, while jobs waited.
    this.#free(LONGEST_STEP_MS)
    for (const [client, sizeBytes] of this.#shares()) this.#give(client, sizeBytes)
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.share(), SHARE_MS)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  /** Adds what may be read since the last time, but not that of a time which is longer than this. */
  #free(longestMs: number): void {
    const nowMs = this.#nowMs()
    const mostBytes = (this.#bytesPerSecond * longestMs) / 1000
    this.#freeBytes += (this.#bytesPerSecond * (nowMs - this.#sharedMs)) / 1000
    this.#freeBytes = Math.min(this.#freeBytes, mostBytes)
    this.#sharedMs = nowMs
  }

  #shares(): [RateClient, number][] {
    const groups = Map.groupBy(this.#waiting.keys(), ({ group }) => group)
    return [...groups.values()].flatMap((clients) => {
      const sizeBytes = Math.floor(this.#freeBytes / groups.size / clients.length)
      return clients.map((client): [RateClient, number] => [client, sizeBytes])
    })
  }

  #give(client: RateClient, sizeBytes: number): void {
    const state = this.#waiting.get(client)
    if (state === undefined) return
    this.#freeBytes -= sizeBytes
    state.grantedBytes += sizeBytes
    if (state.grantedBytes <= state.owedBytes) return
    this.#waiting.delete(client)
    client.granted(state.grantedBytes)
  }
}

/**
 * With a low rate, few connections are used at a time: a source that waits a minute for a connection to read closes it.
 * @param connections the limit without a rate
 */
export function connectionsAt(bytesPerSecond: number | null, connections: number): number {
  if (bytesPerSecond === null) return connections
  return Math.min(
    connections,
    Math.max(FEWEST_CONNECTIONS, Math.floor(bytesPerSecond / LEAST_BYTES_PER_SECOND)),
  )
}

/** Often enough that bodies come steadily: no job that waits is without bytes for longer. */
const SHARE_MS = 50
/** What nobody has used in the last moment can still be used. */
const MOST_SAVED_MS = 200
const LONGEST_STEP_MS = 1000
/** Of one connection, on average: several reads in a minute. */
const LEAST_BYTES_PER_SECOND = 16_000
const FEWEST_CONNECTIONS = 4
