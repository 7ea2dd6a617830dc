/** The state of a host, judged by one connection. `strained` means a 429, a 503 or a reset. */
export type Verdict = 'healthy' | 'strained' | 'unknown'

/**
 * Runs in the main thread, for all jobs. The current connection limit of each host (`name:port`). It starts low, rises by one with each healthy connection, and is
 * halved when the host is strained.
 */
export class HostLimits {
  readonly #maxPerHost: number
  readonly #hosts = new Map<string, HostState>()

  /** @param maxPerHost upper bound of the limit of each host */
  constructor(maxPerHost: number) {
    this.#maxPerHost = maxPerHost
  }

  /** How many more connections may be opened; negative when the limit was lowered below what is open. */
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
    if (host.openAtHalving > 0) {
      // The connection was opened before the last halving, so its verdict does not apply to the new limit.
      host.openAtHalving -= 1
    } else if (verdict === 'healthy') {
      host.limit = Math.min(host.limit + 1, this.#maxPerHost)
    } else if (verdict === 'strained') {
      host.limit = Math.max(1, host.limit >> 1)
      host.openAtHalving = host.open
    }
  }

  #host(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    if (this.#hosts.size >= MAX_REMEMBERED_HOSTS) this.#forgetOldestHost()
    const state = { limit: Math.min(FIRST_CONNECTIONS, this.#maxPerHost), open: 0, openAtHalving: 0 }
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
  /** The current limit on connections. */
  limit: number
  open: number
  /** Connections that were open at the last halving: their verdicts are ignored. */
  openAtHalving: number
}

/** The initial limit of a host: enough for speed, few enough not to burden an unknown host. */
const FIRST_CONNECTIONS = 8

/** Bounds memory: past this many hosts, the oldest one without connections is forgotten. */
const MAX_REMEMBERED_HOSTS = 10_000
