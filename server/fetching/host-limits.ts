/** How a host behaved on a connection: well, under strain (429, 503, a reset), or nothing to say. */
export type Verdict = 'well' | 'strained' | 'neutral'

/**
 * How many connections each host (`name:port`) may have now: it begins with a few, gets one more for each that went
 * well, and half of them when it shows strain.
 */
export class HostLimits {
  readonly #most: number
  readonly #hosts = new Map<string, HostState>()

  /** @param most connections to one host at the most */
  constructor(most: number) {
    this.#most = most
  }

  /** How many more there may be; below zero where the limit has sunk since they were opened. */
  roomOf(host: string): number {
    const { limit, open } = this.#host(host)
    return limit - open
  }

  opened(host: string): void {
    this.#host(host).open += 1
  }

  closed(name: string, verdict: Verdict): void {
    const host = this.#host(name)
    host.open -= 1
    if (host.unjudged > 0) {
      // Opened before the last halving: its news is old.
      host.unjudged -= 1
    } else if (verdict === 'well') {
      host.limit = Math.min(host.limit + 1, this.#most)
    } else if (verdict === 'strained') {
      host.limit = Math.max(1, host.limit >> 1)
      host.unjudged = host.open
    }
  }

  #host(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    if (this.#hosts.size >= MAX_REMEMBERED_HOSTS) this.#forgetOldestHost()
    const state = { limit: Math.min(FIRST_CONNECTIONS, this.#most), open: 0, unjudged: 0 }
    this.#hosts.set(host, state)
    return state
  }

  #forgetOldestHost(): void {
    for (const [host, state] of this.#hosts) {
      if (state.open > 0) continue
      this.#hosts.delete(host)
      return
    }
  }
}

interface HostState {
  /** Connections that the host may have now. */
  limit: number
  open: number
  /** Open connections whose verdict no longer counts. */
  unjudged: number
}

/** What every host begins with: enough to be quick, few enough to be polite. */
const FIRST_CONNECTIONS = 8

/** What is known of a host is dropped past this many: a bound on memory, no more. */
const MAX_REMEMBERED_HOSTS = 10_000
