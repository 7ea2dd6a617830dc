import type { Refusal, Verdict } from '../lease.ts'

/**
 * Runs in the main thread, for all jobs. How many connections each host (`name:port`) gets, and when.
 *
 * The limit of a host starts low, rises with healthy connections, and is halved when the host is strained or refuses. After that it
 * rises more slowly: otherwise, a host that allows two connections would refuse a third one again and again. A job raises it,
 * too, if more connections bring its large bodies faster. How many of them a job uses is for the job to measure.
 *
 * What a host asks holds for all its requests: it gets no connection until the wait is over. A host that limits the rate of requests
 * gets further connections in even intervals, about as often as it has accepted them, and then a little more often with each that it
 * accepts.
 */
export class HostLimits {
  #maxPerHost: number
  readonly #nowMs: () => number
  readonly #hosts = new Map<string, LimitState>()

  /**
   * @param maxPerHost upper bound of the limit of each host
   * @param nowMs a clock that never jumps
   */
  constructor(maxPerHost: number, nowMs: () => number) {
    this.#maxPerHost = maxPerHost
    this.#nowMs = nowMs
  }

  /** Another upper bound, from now on. Connections that are open above it stay until their release. */
  changeMaxPerHost(maxPerHost: number): void {
    this.#maxPerHost = maxPerHost
    for (const host of this.#hosts.values()) {
      host.limit = Math.min(host.limit, maxPerHost)
      host.provenLimit = Math.min(host.provenLimit, maxPerHost)
    }
  }

  /** How many more connections may be opened now; negative when the limit was lowered below what is open. */
  roomOf(name: string): number {
    const host = this.#host(name)
    if (host.nextMs > this.#nowMs()) return Math.min(0, host.limit - host.open)
    const room = host.limit - host.open
    return host.intervalMs === 0 ? room : Math.min(1, room)
  }

  /** When the host gets its next connection, if it has to wait for that; else null. */
  nextMsOf(name: string): number | null {
    const { nextMs } = this.#host(name)
    return nextMs > this.#nowMs() ? nextMs : null
  }

  opened(name: string): void {
    const host = this.#host(name)
    host.open += 1
    if (host.pausedUntilMs > host.sinceMs) this.#waitEnded(host)
    if (host.intervalMs > 0) host.nextMs = this.#nowMs() + host.intervalMs
  }

  closed(name: string, verdict: Verdict): void {
    const host = this.#host(name)
    host.open -= 1
    if (typeof verdict === 'object') this.#pause(host, verdict)
    if (verdict === 'healthy') {
      host.accepted += 1
      host.ownPauseMs = FIRST_PAUSE_MS
      if (host.pausedUntilMs <= host.sinceMs) host.intervalMs *= host.faster
      if (host.intervalMs < SHORTEST_INTERVAL_MS) host.intervalMs = 0
    }
    if (host.openAtHalving > 0) {
      // The connection was opened before the last halving, so its verdict does not apply to the new limit.
      host.openAtHalving -= 1
    } else if (verdict === 'healthy') {
      host.healthy += 1
      if (host.healthy < host.healthyPerStep) return
      host.healthy = 0
      if (host.healthyPerStep > 1) host.provenLimit = host.limit
      host.limit = Math.min(host.limit + 1, this.#maxPerHost)
    } else if (verdict !== 'unknown') {
      // One more than what went well for long is one too many. Anything else is far too many.
      if (host.provenLimit >= host.limit) host.provenLimit = 0
      host.limit = Math.max(1, host.provenLimit === 0 ? host.limit >> 1 : host.provenLimit)
      host.openAtHalving = host.open
      host.healthy = 0
      host.healthyPerStep = Math.min(host.healthyPerStep * 4, MOST_HEALTHY_PER_STEP)
    }
  }

  /** The host sends more over this many connections than over fewer. Does nothing if it was strained: it allows fewer. */
  raise(name: string, connections: number): void {
    const host = this.#host(name)
    if (host.healthyPerStep > 1) return
    host.limit = Math.max(host.limit, Math.min(connections, this.#maxPerHost))
  }

  /** Refusals of requests that were on their way when the host refused the first one change only the end of the wait. */
  #pause(host: LimitState, { waitMs, isRate }: Refusal): void {
    const nowMs = this.#nowMs()
    const pauseMs = waitMs ?? host.ownPauseMs
    const isFirst = nowMs >= host.pausedUntilMs
    host.pausedUntilMs = Math.max(host.pausedUntilMs, nowMs + pauseMs)
    host.nextMs = Math.max(host.nextMs, host.pausedUntilMs)
    if (!isFirst) return
    if (waitMs === null) host.ownPauseMs = Math.min(host.ownPauseMs * 2, LONGEST_OWN_PAUSE_MS)
    host.isPaced = isRate
  }

  /**
   * What a host that limits the rate has accepted since the wait before, it will accept in the same time again: this wait is a part
   * of it, and so are the requests that it accepted while it refused others already.
   */
  #waitEnded(host: LimitState): void {
    if (host.isPaced && host.accepted > 0) {
      host.faster = host.intervalMs === 0 ? FASTER_AT_FIRST : FASTER
      host.intervalMs = (host.pausedUntilMs - host.sinceMs) / host.accepted
    }
    host.sinceMs = host.pausedUntilMs
    host.accepted = 0
  }

  #host(host: string): LimitState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    if (this.#hosts.size >= MAX_REMEMBERED_HOSTS) this.#forgetOldestHost()
    const state: LimitState = {
      limit: Math.min(FIRST_CONNECTIONS, this.#maxPerHost),
      open: 0,
      openAtHalving: 0,
      // The first connections prove only the first limit.
      healthy: -Math.min(FIRST_CONNECTIONS, this.#maxPerHost),
      healthyPerStep: 1,
      provenLimit: 0,
      pausedUntilMs: 0,
      nextMs: 0,
      ownPauseMs: FIRST_PAUSE_MS,
      intervalMs: 0,
      faster: FASTER_AT_FIRST,
      sinceMs: this.#nowMs(),
      accepted: 0,
      isPaced: false,
    }
    this.#hosts.set(host, state)
    return state
  }

  #forgetOldestHost(): void {
    for (const [host, { open, nextMs }] of this.#hosts) {
      if (open > 0 || nextMs > this.#nowMs()) continue
      this.#hosts.delete(host)
      return
    }
  }
}

interface LimitState {
  /** The current limit on connections. */
  limit: number
  open: number
  /** Connections that were open at the last halving: their verdicts are ignored. */
  openAtHalving: number
  /** Healthy connections since the limit was raised last, and how many of them raise it. */
  healthy: number
  healthyPerStep: number
  /** The limit that went well for a whole step, since the host was strained; 0 if there is none. */
  provenLimit: number
  /** The end of the last wait that the host asked for. */
  pausedUntilMs: number
  /** Before that, the host gets no connection: it asked for a wait, or the interval has not passed. */
  nextMs: number
  /** The next wait, if the host asks for one and names no time. */
  ownPauseMs: number
  /** Between the begins of two connections; 0 for a host that doesn't limit the rate of requests. */
  intervalMs: number
  /** By what each accepted request shortens the interval. */
  faster: number
  /** Since when `accepted` counts: the last wait that the host asked for, or its first connection. */
  sinceMs: number
  accepted: number
  /** Whether it asked for its last wait because requests came too often. */
  isPaced: boolean
}

/** The initial limit of a host: enough for speed, few enough not to burden an unknown host. */
const FIRST_CONNECTIONS = 8

/** After three strains, the limit rises once in 64 healthy connections. */
const MOST_HEALTHY_PER_STEP = 64

/** How long to wait for a host that names no time: the first and the longest wait. Each such refusal in a row doubles it. */
const FIRST_PAUSE_MS = 500
const LONGEST_OWN_PAUSE_MS = 60_000

/**
 * Each accepted request shortens the interval by this factor, by 5 percent a second at 10 requests a second. Until the host refuses
 * for the second time, it is shortened more, since the first refusal tells the rate only roughly.
 */
const FASTER = 0.995
const FASTER_AT_FIRST = 0.985
/** Shorter intervals are none: a request itself lasts longer. */
const SHORTEST_INTERVAL_MS = 2

/** Bounds memory: past this many hosts, the oldest one without connections is forgotten. */
const MAX_REMEMBERED_HOSTS = 10_000
