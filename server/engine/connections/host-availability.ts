import { type FailureText, FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import type { FetchLimits } from '../../fetching/attempts/fetch-limits.ts'
import { NO_ANSWER } from '../../fetching/attempts/retries.ts'
import { runningMs } from '../../time/unpaused-time.ts'

/** Who is told what becomes of hosts. */
export interface AvailabilityListener {
  /** A host (`name:port`) or a proxy was given up, with the error that its remaining URLs fail with. */
  hostGivenUp(host: string, text: FailureText): void
  /** A proxy did this, in words, for the first time: `cannot be reached`. */
  proxyFailed(proxy: string, problem: string): void
}

/**
 * Runs in the thread of the job. Keeps track of which hosts of one job respond. A host that does not respond to any attempt for a
 * while is given up: its remaining URLs fail at once with the same error, so that thousands of URLs do not wait for it in vain. A
 * host that has answered before gets more time: it may be restarted, or the network may be away.
 */
export class HostAvailability {
  readonly #limits: FetchLimits
  readonly #listener: AvailabilityListener
  readonly #reported = new Set<string>()
  readonly #hosts = new Map<string, HostState>()
  /** A clock in milliseconds that stops while the process is paused: a pause doesn't count as silence of a host. */
  readonly now: () => number

  constructor(limits: FetchLimits, listener: AvailabilityListener, now: () => number = runningMs) {
    this.#limits = limits
    this.#listener = listener
    this.now = now
  }

  /** @throws FetchFailure with the error of its last attempt, when the host (`name:port`) was given up */
  assertReachable(host: string): void {
    const text = this.#hosts.get(host)?.givenUpFor ?? null
    if (text !== null) throw new FetchFailure(text, { retryable: false })
  }

  /** Whether the host has answered anything. */
  hasAnswered(host: string): boolean {
    return (this.#hosts.get(host)?.answeredMs ?? -Infinity) > -Infinity
  }

  /** The host answered, perhaps with an error. */
  answered(host: string): void {
    const state = this.#state(host)
    this.#heard(state, 0)
    state.refusedSinceMs = null
    state.givenUpFor = null
  }

  /**
   * The host answered that its clients must wait. If it answers nothing else for too long, it is given up.
   * @returns the wait to honour; null if it named no time
   */
  refused(host: string, { text, retryAfterMs }: Pick<FetchFailure, 'text' | 'retryAfterMs'>): number | null {
    const state = this.#state(host)
    const waitMs = retryAfterMs === null ? null : Math.min(retryAfterMs, this.#limits.maxRetryAfterMs)
    this.#heard(state, waitMs ?? 0)
    if (state.refusedSinceMs === null) {
      state.refusedSinceMs = this.now()
      state.longestWaitMs = 0
    }
    const patienceMs = Math.max(this.#limits.lostAfterMs, state.longestWaitMs)
    state.longestWaitMs = Math.max(state.longestWaitMs, waitMs ?? 0)
    if (this.now() - state.refusedSinceMs >= patienceMs) this.giveUp(host, text)
    return waitMs
  }

  /** An attempt that began at `sinceMs` (of `now`) ended without an answer. Failures of other kinds don't count. */
  unanswered(host: string, text: FailureText, sinceMs: number): void {
    const state = this.#state(host)
    // When other URLs were answered meanwhile, only this URL is slow.
    if (!NO_ANSWER.has(text) || state.answeredMs >= sinceMs) return
    if (state.unanswered === 0) state.silentSinceMs = Math.max(state.silentSinceMs, sinceMs)
    state.unanswered += 1
    const { unreachableAfterAttempts, unreachableAfterMs, lostAfterMs } = this.#limits
    const patienceMs = this.hasAnswered(host) ? lostAfterMs : unreachableAfterMs
    const isLongSilent = this.now() - state.silentSinceMs >= patienceMs
    if (isLongSilent && state.unanswered >= unreachableAfterAttempts) this.giveUp(host, text)
  }

  /**
   * An attempt through a proxy ended without an answer of the host. If that says something about the proxy alone, it counts for the
   * proxy, else for both: a proxy through which nothing comes is given up like a host, whose name is that of the proxy.
   */
  proxyFailed(proxy: string, host: string, failure: FetchFailure, sinceMs: number): void {
    const { ofProxy, retryable, text } = failure
    if (ofProxy === null) return
    this.#report(proxy, ofProxy.code)
    const { concernsAll, reason } = ofProxy
    if (reason === 'proxy-refused' && !concernsAll) this.#heard(this.#state(proxy), 0)
    else if (retryable) this.unanswered(proxy, text, sinceMs)
    else this.giveUp(proxy, text)
    if (concernsAll) return
    if (retryable) this.unanswered(host, text, sinceMs)
    else this.giveUp(host, text)
  }

  /** All URLs of the host fail from now on, since this failure concerns all of them. */
  giveUp(host: string, text: FailureText): void {
    const state = this.#state(host)
    if (state.givenUpFor !== null) return
    state.givenUpFor = text
    this.#listener.hostGivenUp(host, text)
  }

  #report(proxy: string, problem: string): void {
    if (this.#reported.has(problem)) return
    this.#reported.add(problem)
    this.#listener.proxyFailed(proxy, problem)
  }

  #heard(state: HostState, waitMs: number): void {
    state.answeredMs = this.now()
    state.silentSinceMs = state.answeredMs + waitMs
    state.unanswered = 0
  }

  #state(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const state: HostState = {
      answeredMs: -Infinity,
      silentSinceMs: -Infinity,
      unanswered: 0,
      refusedSinceMs: null,
      longestWaitMs: 0,
      givenUpFor: null,
    }
    this.#hosts.set(host, state)
    return state
  }
}

interface HostState {
  answeredMs: number
  /** When its silence began: at its first unanswered attempt, or at the end of a wait that the host asked for. */
  silentSinceMs: number
  /** Consecutive unanswered attempts. */
  unanswered: number
  /** Since when it has answered nothing but that its clients must wait; null if it has not. */
  refusedSinceMs: number | null
  /** The longest wait that it asked for in that time. */
  longestWaitMs: number
  givenUpFor: FailureText | null
}
