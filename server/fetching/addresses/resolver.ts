import { FetchFailure } from '../attempts/fetch-failure.ts'
import type { AddressGuard } from './guard.ts'
import { fixedAddresses, resolveHost } from './resolve-host.ts'

/**
 * Resolves hosts to addresses that the address guard allows, and caches them. Every connection goes to an address from
 * here, so that a name that resolves differently the next time can't bypass the guard.
 */
export class CheckedResolver {
  readonly #guard: Pick<AddressGuard, 'checkAll'>
  readonly #signal: AbortSignal
  readonly #answers = new Map<string, Answer>()

  /** @param signal aborts running look-ups, with its reason */
  constructor(guard: Pick<AddressGuard, 'checkAll'>, signal: AbortSignal) {
    this.#guard = guard
    this.#signal = signal
  }

  /**
   * Waits until the addresses of a host (`name:port`) are known, or it is known that there are none, so that nothing scarce is held
   * meanwhile.
   */
  async lookUp(host: string): Promise<void> {
    const hostname = host.slice(0, host.lastIndexOf(':'))
    const { addresses } = this.#currentAnswer(hostname) ?? this.#lookUp(hostname)
    await addresses.catch(() => {})
    this.#signal.throwIfAborted()
  }

  /**
   * Addresses to try, in order; at least one.
   * @param hostname as in `URL.hostname`, an IPv6 address in brackets
   * @throws FetchFailure `Could not resolve host` or `Address not allowed`
   */
  async resolve(hostname: string, port: number): Promise<readonly string[]> {
    const answer = this.#currentAnswer(hostname) ?? this.#lookUp(hostname)
    const addresses = await answer.addresses
    if (this.#guard.checkAll(addresses, port) === 'refused') throw new FetchFailure('Address not allowed')
    return addresses
  }

  /**
   * For a host that a proxy looks up and connects to: refuses what is known without a look-up, an address or a name of this machine.
   * @param hostname as in `URL.hostname`
   * @throws FetchFailure `Address not allowed`
   */
  assertNotRefused(hostname: string, port: number): void {
    const known = fixedAddresses(hostname)
    if (known.length > 0 && this.#guard.checkAll(known, port) === 'refused')
      throw new FetchFailure('Address not allowed')
  }

  #currentAnswer(hostname: string): Answer | null {
    const answer = this.#answers.get(hostname)
    return answer !== undefined && performance.now() < answer.expiresMs ? answer : null
  }

  #lookUp(hostname: string): Answer {
    const addresses = resolveHost(hostname, this.#signal)
    const answer: Answer = { addresses, expiresMs: Number.POSITIVE_INFINITY }
    this.#answers.delete(hostname)
    this.#answers.set(hostname, answer)
    if (this.#answers.size > MAX_ANSWERS) this.#forgetOldest()
    const keep = (lifetimeMs: number) => {
      answer.expiresMs = performance.now() + lifetimeMs
    }
    addresses.then(
      () => keep(ANSWER_LIFETIME_MS),
      // A final failure holds for all URLs of the host, one that may pass only for those who wait for it.
      (error: unknown) => {
        const isFinal = error instanceof FetchFailure && !error.retryable
        keep(isFinal ? ANSWER_LIFETIME_MS : PASSING_FAILURE_MS)
      },
    )
    return answer
  }

  #forgetOldest(): void {
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}

interface Answer {
  readonly addresses: Promise<string[]>
  /** Infinite during the look-up. */
  expiresMs: number
}

/** Long enough that thousands of URLs of one host need one look-up; short enough to follow a host whose address changes. */
const ANSWER_LIFETIME_MS = 30_000
/** Shorter than any wait for the next attempt: that one asks again. */
const PASSING_FAILURE_MS = 200
const MAX_ANSWERS = 10_000
