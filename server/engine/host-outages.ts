import { type FailureText, FetchFailure } from '../fetching/fetch-failure.ts'
import type { FetchLimits } from '../fetching/fetch-limits.ts'
import { runningMs } from '../fetching/watch.ts'

/**
 * The hosts of one job that answer nobody. After a while without any answer a host is given up: what is left of its
 * URLs fails at once, as those before did, and thousands of URLs do not each wait for it in vain.
 */
export class HostOutages {
  readonly #limits: FetchLimits
  readonly #onGivenUp: (host: string, text: FailureText) => void
  readonly #hosts = new Map<string, HostNews>()
  /** Milliseconds, pauses of the process left out: nobody was silent in them. */
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

  /** @throws FetchFailure what its URLs failed with, when the host (`name:port`) was given up */
  assertReachable(host: string): void {
    const text = this.#hosts.get(host)?.givenUpFor ?? null
    if (text !== null) throw new FetchFailure(text, { retryable: false })
  }

  /** The host said something, be it an error: it is there. It may have asked for a wait, in milliseconds. */
  answered(host: string, waitMs = 0): void {
    const news = this.#news(host)
    news.answeredMs = this.now()
    news.patientFromMs = news.answeredMs + Math.min(waitMs, this.#limits.maxRetryAfterMs)
    news.unanswered = 0
    news.givenUpFor = null
  }

  /** An attempt that began at `sinceMs` (of `now`) ended without a word of the host. Failures of other kinds do not count. */
  unanswered(host: string, text: FailureText, sinceMs: number): void {
    const news = this.#news(host)
    // Others had an answer meanwhile: this URL alone is slow.
    if (!NO_ANSWER.has(text) || news.answeredMs >= sinceMs) return
    if (news.unanswered === 0) news.patientFromMs = Math.max(news.patientFromMs, sinceMs)
    news.unanswered += 1
    const isLong = this.now() - news.patientFromMs >= this.#limits.outageMs
    if (news.givenUpFor !== null || news.unanswered < this.#limits.outageAttempts || !isLong) return
    news.givenUpFor = text
    this.#onGivenUp(host, text)
  }

  #news(host: string): HostNews {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const news = { answeredMs: -Infinity, patientFromMs: -Infinity, unanswered: 0, givenUpFor: null }
    this.#hosts.set(host, news)
    return news
  }
}

interface HostNews {
  answeredMs: number
  /** From when on its silence is counted: its first unanswered attempt, or the end of a wait that it asked for. */
  patientFromMs: number
  /** Attempts in a row. */
  unanswered: number
  givenUpFor: FailureText | null
}

/** What can be said of the host itself, not only of one URL; of a time-out, only before the response begins. */
const NO_ANSWER: ReadonlySet<FailureText> = new Set<FailureText>([
  'Could not resolve host',
  'Connection refused',
  'Connection failed',
  'Timed out',
])
