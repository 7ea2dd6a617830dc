import type { Verdict } from './host-limits.ts'

/** The right to hold one connection to a host until it is released. */
export interface Lease {
  readonly host: string
  /**
   * Aborted when the lease is revoked or the job ends: the connection must be released at once. The holder may abort it,
   * too.
   */
  readonly aborter: AbortController
  /** Records that the body that arrives on the connection is large. Further calls do nothing. */
  bodyIsLarge(): void
  /**
   * Called when a body has ended well and the holder has another one to fetch. False if it must release the lease, and may wait
   * for another one.
   */
  continues(): boolean
  release(verdict: Verdict): void
}
