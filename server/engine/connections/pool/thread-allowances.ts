/** A thread that opens connections, for one client after the other. */
export interface ConnectionThread {
  /**
   * Called when more or fewer connections than before may be open in the thread: as many as its clients hold, and idle ones. Never
   * fewer than they hold.
   */
  allowed(connections: number): void
}

/**
 * Runs in the main thread, for all jobs. How many connections each thread may have open. A thread keeps connections open after their
 * release, for its next requests; firewalls, routers and servers count these, too. So all threads together may have no more open than
 * can be held at once. A thread that needs one more gets it from the one with the most idle ones.
 */
export class ThreadAllowances {
  #total: number
  readonly #threads = new Map<ConnectionThread, ThreadState>()
  /** Of all threads. */
  #allowed = 0

  /** @param total how many connections are held at once, at most */
  constructor(total: number) {
    this.#total = total
  }

  /** A client in this thread gets a connection. Together, all hold no more than the total. */
  held(thread: ConnectionThread): void {
    const state = this.#threads.get(thread) ?? { thread, allowed: 0, held: 0 }
    this.#threads.set(thread, state)
    state.held += 1
    if (state.held <= state.allowed) return
    // Since fewer than the total are held, some are idle, until no more are allowed than the total.
    while (this.#allowed >= this.#total) this.#change(this.#withMostIdle(), -1)
    this.#change(state, 1)
  }

  /** Clients in this thread have released so many connections. They may be idle in it from now on, also if it runs no job. */
  released(thread: ConnectionThread, count = 1): void {
    const state = this.#threads.get(thread)
    if (state !== undefined) state.held -= count
  }

  /** From now on, fewer or more are held at once. Idle ones above that are closed; those that are held stay until their release. */
  changeTotal(total: number): void {
    this.#total = total
    while (this.#allowed > total) {
      const state = this.#withMostIdle()
      if (state.allowed <= state.held) return
      this.#change(state, -1)
    }
  }

  #withMostIdle(): ThreadState {
    const idleOf = ({ allowed, held }: ThreadState) => allowed - held
    return [...this.#threads.values()].reduce((most, state) => (idleOf(state) > idleOf(most) ? state : most))
  }

  #change(state: ThreadState, by: 1 | -1): void {
    state.allowed += by
    this.#allowed += by
    state.thread.allowed(state.allowed)
    // A thread that has ended gives up its allowance, one connection at a time.
    if (state.allowed === 0) this.#threads.delete(state.thread)
  }
}

interface ThreadState {
  readonly thread: ConnectionThread
  allowed: number
  held: number
}
