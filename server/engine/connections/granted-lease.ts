import type { Verdict } from './host-limits.ts'
import type { HostQueue } from './host-queue.ts'
import type { Lease } from './lease.ts'

/** A lease of a `LeaseQueue`. */
export class GrantedLease implements Lease {
  readonly host: string
  readonly queue: HostQueue
  readonly grantedAtMs: number
  /** Leases that reuse a connection share it: making one for each lease would double the cost of a lease. */
  readonly aborter: AbortController
  isLarge = false
  readonly #owner: LeaseOwner

  constructor(
    host: string,
    queue: HostQueue,
    grantedAtMs: number,
    aborter: AbortController,
    owner: LeaseOwner,
  ) {
    this.host = host
    this.queue = queue
    this.grantedAtMs = grantedAtMs
    this.aborter = aborter
    this.#owner = owner
  }

  bodyIsLarge(): void {
    if (!this.isLarge) this.queue.largeBodies.began()
    this.isLarge = true
  }

  continues(): boolean {
    return this.#owner.mayContinue(this)
  }

  release(verdict: Verdict): void {
    this.#owner.released(this, verdict)
  }
}

/** What a lease asks its queue for. */
export interface LeaseOwner {
  released(lease: GrantedLease, verdict: Verdict): void
  mayContinue(lease: GrantedLease): boolean
}
