import { type FailureText, FetchFailure } from '../../fetching/fetch-failure.ts'
import type { FetchLimits } from '../../fetching/fetch-limits.ts'
import { runningMs } from '../../time/unpaused-time.ts'

/**
 * Runs in the thread of the job. Keeps track of which hosts of one job respond. A host that does not respond to any attempt for a while is given up: its
 * remaining URLs fail at once with the same error, so that thousands of URLs do not wait for it in vain.
 */
export class HostAvailability {
  readonly #limits: FetchLimits
  readonly #onGivenUp: (host: string, text: FailureText) => void
  readonly #hosts = new Map<string, HostState>()
  /** A clock in milliseconds that stops while the process is paused: a pause doesn't count as silence of a host. */
  readonly now: () => number

  constructor(
    limits: FetchLimits,
    onGivenUp: (host: string, text: FailureText) => void,
    now: () => number = runningMs,
  ) {
    this.#limits = limits
    this.#onGivenUp = onGivenUp
    this.now = now
  }

  /** @throws FetchFailure with the error of its last attempt, when the host (`name:port`) was given up */
  assertReachable(host: string): void {
    const text = this.#hosts.get(host)?.givenUpFor ?? null
    if (text !== null) throw new FetchFailure(text, { retryable: false })
  }

  /** The host answered, perhaps with an error, and perhaps asked the client to wait (`waitMs`). */
  answered(host: string, waitMs = 0): void {
    const state = this.#state(host)
    state.answeredMs = this.now()
    state.silentSinceMs = state.answeredMs + Math.min(waitMs, this.#limits.maxRetryAfterMs)
    state.unanswered = 0
    state.givenUpFor = null
  }

  /** An attempt that began at `sinceMs` (of `now`) ended without an answer. Failures of other kinds don't count. */
  unanswered(host: string, text: FailureText, sinceMs: number): void {
    const state = this.#state(host)
    // When other URLs were answered meanwhile, only this URL is slow.
    if (!NO_ANSWER.has(text) || state.answeredMs >= sinceMs) return
    if (state.unanswered === 0) state.silentSinceMs = Math.max(state.silentSinceMs, sinceMs)
    state.unanswered += 1
    const isLongSilent = this.now() - state.silentSinceMs >= this.#limits.unreachableAfterMs
    const hasManyAttempts = state.unanswered >= this.#limits.unreachableAfterAttempts
    if (state.givenUpFor !== null || !hasManyAttempts || !isLongSilent) return
    state.givenUpFor = text
    this.#onGivenUp(host, text)
  }

  #state(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const state = { answeredMs: -Infinity, silentSinceMs: -Infinity, unanswered: 0, givenUpFor: null }
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
  givenUpFor: FailureText | null
}

/** Failures that may concern the whole host, not only one URL. A timeout counts only before the response begins. */
const NO_ANSWER: ReadonlySet<FailureText> = new Set<FailureText>([
  'Could not resolve host',
  'Connection refused',
  'Connection failed',
  'Timed out',
])
