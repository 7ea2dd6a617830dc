import type { AddressGuard, AddressVerdict } from './address-guard.ts'
import { FetchFailure } from './fetch-failure.ts'
import { resolveHost } from './resolve-host.ts'

/**
 * The checked addresses of hosts. Every connection goes to an address from here and to no other, so that a name
 * that answers differently the next time can't lead past the guard.
 */
export class AddressBook {
  readonly #guard: AddressGuard
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Answer>()

  /** @param signal ends look-ups that are under way, with its reason */
  constructor(guard: AddressGuard, signal: AbortSignal) {
    this.#guard = guard
    this.#signal = signal
  }

  /**
   * Addresses to try, in order; at least one.
   * @param hostname as `URL.hostname` gives it, an IPv6 literal in brackets
   * @throws FetchFailure `Could not resolve host` or `Address not allowed`
   */
  async lookUp(hostname: string, port: number): Promise<readonly string[]> {
    const answer = this.#answerOf(hostname)
    const addresses = await answer.addresses
    const verdict = answer.verdicts.get(port) ?? this.#guard.checkAll(addresses, port)
    answer.verdicts.set(port, verdict)
    if (verdict === 'refused') throw new FetchFailure('Address not allowed')
    return addresses
  }

  #answerOf(hostname: string): Answer {
    const nowMs = performance.now()
    const known = this.#answers.get(hostname)
    if (known !== undefined && nowMs < known.untilMs) return known
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    const addresses = resolveHost(hostname, this.#signal)
    const answer: Answer = { addresses, verdicts: new Map(), untilMs: nowMs + ANSWER_LIFE_MS }
    this.#answers.set(hostname, answer)
    // A failure that may pass is asked about anew; one that won't is an answer too, for all URLs of the host.
    addresses.catch((error: unknown) => {
      if (!(error instanceof FetchFailure) || error.retryable) this.#answers.delete(hostname)
    })
    return answer
  }
}

interface Answer {
  readonly addresses: Promise<string[]>
  /** What the guard says of these addresses, by port. */
  readonly verdicts: Map<number, AddressVerdict>
  readonly untilMs: number
}

/** Long enough that thousands of URLs of one host ask once; short enough to follow a host that moves. */
const ANSWER_LIFE_MS = 30_000
const MAX_ANSWERS = 10_000
