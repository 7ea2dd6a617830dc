import { FetchFailure } from '../fetch-failure.ts'
import type { AddressGuard } from './guard.ts'
import { resolveHost } from './resolve-host.ts'

/**
 * Resolves hosts to addresses that the address guard allows, and caches them. Every connection goes to an address from
 * here, so that a name that resolves differently the next time can't bypass the guard.
 */
export class CheckedResolver {
  readonly #guard: AddressGuard
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Answer>()

  /** @param signal aborts running look-ups, with its reason */
  constructor(guard: AddressGuard, signal: AbortSignal) {
    this.#guard = guard
    this.#signal = signal
  }

  /**
   * Addresses to try, in order; at least one.
   * @param hostname as in `URL.hostname`, an IPv6 address in brackets
   * @throws FetchFailure `Could not resolve host` or `Address not allowed`
   */
  resolve(hostname: string, port: number): Promise<readonly string[]> {
    const { addresses, checked } = this.#currentAnswer(hostname) ?? this.#lookUp(hostname)
    const known = checked.get(port)
    if (known !== undefined) return known
    const allowed = this.#allowed(addresses, port)
    checked.set(port, allowed)
    return allowed
  }

  async #allowed(addresses: Promise<string[]>, port: number): Promise<readonly string[]> {
    const all = await addresses
    if (this.#guard.checkAll(all, port) === 'refused') throw new FetchFailure('Address not allowed')
    return all
  }

  #currentAnswer(hostname: string): Answer | null {
    const answer = this.#answers.get(hostname)
    return answer !== undefined && performance.now() < answer.expiresMs ? answer : null
  }

  #lookUp(hostname: string): Answer {
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    const addresses = resolveHost(hostname, this.#signal)
    const expiresMs = performance.now() + ANSWER_LIFETIME_MS
    const answer: Answer = { addresses, checked: new Map(), expiresMs }
    this.#answers.set(hostname, answer)
    // Caches final failures for all URLs of the host, but not failures that may pass.
    addresses.catch((error: unknown) => {
      if (!(error instanceof FetchFailure) || error.retryable) this.#answers.delete(hostname)
    })
    return answer
  }
}

interface Answer {
  readonly addresses: Promise<string[]>
  /** The same by port, if the guard allows them all. */
  readonly checked: Map<number, Promise<readonly string[]>>
  readonly expiresMs: number
}

/** Long enough that thousands of URLs of one host need one look-up; short enough to follow a host whose address changes. */
const ANSWER_LIFETIME_MS = 30_000
const MAX_ANSWERS = 10_000
