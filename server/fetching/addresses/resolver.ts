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
  /** By host (`name:port`): what the guard allows depends on both. */
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
    await this.#allowedAddresses(host).catch(() => {})
    this.#signal.throwIfAborted()
  }

  /**
   * Addresses to try, in order; at least one.
   * @param hostname as in `URL.hostname`, an IPv6 address in brackets
   * @throws FetchFailure `Could not resolve host` or `Address not allowed`
   */
  resolve(hostname: string, port: number): Promise<readonly string[]> {
    return this.#allowedAddresses(`${hostname}:${port}`)
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

  #allowedAddresses(host: string): Promise<readonly string[]> {
    const known = this.#answers.get(host)
    if (known !== undefined && performance.now() < known.expiresMs) return known.addresses
    const addresses = this.#lookUp(host)
    const answer: Answer = { addresses, expiresMs: Number.POSITIVE_INFINITY }
    this.#answers.delete(host)
    this.#answers.set(host, answer)
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
    return addresses
  }

  async #lookUp(host: string): Promise<readonly string[]> {
    const colon = host.lastIndexOf(':')
    const addresses = await resolveHost(host.slice(0, colon), this.#signal)
    const verdict = this.#guard.checkAll(addresses, Number(host.slice(colon + 1)))
    if (verdict === 'refused') throw new FetchFailure('Address not allowed')
    return addresses
  }

  #forgetOldest(): void {
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}

interface Answer {
  readonly addresses: Promise<readonly string[]>
  /** Infinite during the look-up. */
  expiresMs: number
}

/** Long enough that thousands of URLs of one host need one look-up; short enough to follow a host whose address changes. */
const ANSWER_LIFETIME_MS = 30_000
/** Shorter than any wait for the next attempt: that one asks again. */
const PASSING_FAILURE_MS = 200
const MAX_ANSWERS = 10_000
