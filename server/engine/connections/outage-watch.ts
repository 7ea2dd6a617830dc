import type { FetchLimits } from '../../fetching/attempts/fetch-limits.ts'

/** Ends an attempt that an outage has silenced: the next one is made at once, and no attempt is used up. */
export class OutageOver extends Error {
  override readonly name = 'OutageOver'
}

/** An attempt that holds a connection. */
export interface WatchedAttempt {
  /** `name:port` */
  readonly host: string
  /** When it was last heard of: its request was sent, or a part of the response came. */
  readonly heardMs: number
  /** Ends it, unless what it has received would be lost. */
  cut(reason: OutageOver): void
}

/**
 * Runs in the thread of the job. Notices when the network, or a host, was away and is back, and ends the attempts that were silent
 * meanwhile, so that they are made again. TCP doubles the time until it sends again with each packet that is lost (RFC 6298
 * section 5.5): after an outage of a minute, a connection would be silent for up to another minute. One that is heard of again
 * sooner has begun anew with a small window, which grows slowly (RFC 5681 section 3.1), and that of a new one quickly.
 *
 * When an attempt is silent for some seconds, its host is probed: connected to, without a request. Only if that fails, and later
 * succeeds, was there an outage. A host that is just slow to answer is left alone, and probed ever more rarely.
 */
export class OutageWatch implements Disposable {
  readonly #isReachable: (host: string) => Promise<boolean>
  readonly #silentAfterMs: number
  readonly #nowMs: () => number
  readonly #timer: ReturnType<typeof setInterval>
  readonly #attempts = new Set<WatchedAttempt>()
  /** The hosts of silent attempts. */
  readonly #hosts = new Map<string, ProbedHost>()

  /**
   * @param isReachable probes a host; never rejects
   * @param nowMs the clock of `heardMs`
   */
  constructor(
    isReachable: (host: string) => Promise<boolean>,
    { silentAfterMs, silenceCheckMs }: Pick<FetchLimits, 'silentAfterMs' | 'silenceCheckMs'>,
    nowMs: () => number,
  ) {
    this.#isReachable = isReachable
    this.#silentAfterMs = silentAfterMs
    this.#nowMs = nowMs
    this.#timer = setInterval(() => void this.check(), silenceCheckMs)
  }

  began(attempt: WatchedAttempt): void {
    this.#attempts.add(attempt)
  }

  ended(attempt: WatchedAttempt): void {
    this.#attempts.delete(attempt)
    for (const { silenced } of this.#hosts.values()) silenced?.delete(attempt)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** Probes the hosts that are due. Resolves when all probes have ended. */
  async check(): Promise<void> {
    const silentHosts = new Set(this.#silentAttempts().map(({ host }) => host))
    for (const [host, { silenced, nextProbeMs }] of this.#hosts) {
      if (silenced !== null && silenced.size > 0) silentHosts.add(host)
      else if (!silentHosts.has(host) && nextProbeMs !== DURING_PROBE) this.#hosts.delete(host)
    }
    const due = [...silentHosts].filter((host) => this.#nowMs() >= this.#probed(host).nextProbeMs)
    await Promise.all(due.map((host) => this.#probe(host, this.#probed(host))))
  }

  async #probe(host: string, probed: ProbedHost): Promise<void> {
    probed.nextProbeMs = DURING_PROBE
    const isReachable = await this.#isReachable(host)
    probed.nextProbeMs = this.#nowMs()
    const silent = this.#silentAttempts().filter((attempt) => attempt.host === host)
    if (!isReachable) {
      probed.silenced = new Set(silent).union(probed.silenced ?? new Set())
    } else if (probed.silenced !== null) {
      this.#hosts.delete(host)
      const reason = new OutageOver(`${host} is reachable again`)
      for (const attempt of probed.silenced.union(new Set(silent))) attempt.cut(reason)
    } else {
      probed.nextProbeMs += probed.pauseMs
      probed.pauseMs *= 2
    }
  }

  #silentAttempts(): WatchedAttempt[] {
    const latestMs = this.#nowMs() - this.#silentAfterMs
    return [...this.#attempts].filter(({ heardMs }) => heardMs <= latestMs)
  }

  #probed(host: string): ProbedHost {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const state: ProbedHost = { silenced: null, nextProbeMs: 0, pauseMs: this.#silentAfterMs }
    this.#hosts.set(host, state)
    return state
  }
}

interface ProbedHost {
  /** The attempts that were silent while it could not be connected to; null if it always could. */
  silenced: Set<WatchedAttempt> | null
  nextProbeMs: number
  /** Until the next probe, after one that found it reachable. */
  pauseMs: number
}

const DURING_PROBE = Infinity
