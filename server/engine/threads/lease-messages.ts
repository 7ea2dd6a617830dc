import type { GrantedConnection, LeaseChannel, LeaseListener } from '../connections/lease.ts'
import type { FromRun, LeaseChange } from './messages.ts'

/** Runs in the thread of the job: connects its `LeaseQueue` to the connection pool in the main thread. */
export class LeaseMessages {
  readonly #post: (message: FromRun) => void
  #listener: LeaseListener | null = null
  /** Posted in one message at the end of the microtask. Often, these are a release and the next request. */
  #changes: LeaseChange[] = []

  constructor(post: (message: FromRun) => void) {
    this.#post = post
  }

  open(listener: LeaseListener): LeaseChannel {
    this.#listener = listener
    return {
      request: (host, use) => this.#change({ kind: 'request', host, use }),
      release: (leaseId, verdict) => this.#change({ kind: 'release', leaseId, verdict }),
      raise: (host, connections) => this.#change({ kind: 'raise', host, connections }),
    }
  }

  granted(grants: readonly GrantedConnection[]): void {
    for (const grant of grants) this.#listener?.granted(grant)
  }

  revoked(grant: GrantedConnection): void {
    this.#listener?.revoked(grant)
  }

  #change(change: LeaseChange): void {
    if (this.#changes.push(change) > 1) return
    queueMicrotask(() => {
      this.#post({ type: 'changeLeases', changes: this.#changes })
      this.#changes = []
    })
  }
}
