import { availableParallelism } from 'node:os'
import type { IdleThreads } from './idle-threads.ts'
import type { ToWorker } from './messages.ts'
import type { Thread } from './thread.ts'

/** The connection of one job to the helpers. Dispose of it when the job has ended. */
export interface HelperConnection extends Disposable {
  /** One port per helper, to be transferred to the thread of the job. */
  readonly ports: readonly MessagePort[]
}

/**
 * Runs in the main thread: threads that compress texts and hash bodies for all jobs of the process. They are taken when the first job
 * connects, and given back when no job is connected any more.
 */
export class HelperThreads implements Disposable {
  readonly #idleThreads: IdleThreads
  readonly #othersMayOpen: () => number
  readonly #count: number
  readonly #closing = new AbortController()
  #helpers: Promise<readonly Thread[]> | null = null
  #connectionCount = 0

  /** @param othersMayOpen how many descriptors other threads may open while a helper starts, at most */
  constructor(idleThreads: IdleThreads, othersMayOpen: () => number, count = DEFAULT_COUNT) {
    this.#idleThreads = idleThreads
    this.#othersMayOpen = othersMayOpen
    this.#count = count
  }

  /** @param onCrash called when a helper has ended by itself: texts that were sent to it are lost */
  async connect(onCrash: () => void): Promise<HelperConnection> {
    this.#connectionCount += 1
    this.#helpers ??= this.#take()
    const helpers = await this.#helpers
    // Listeners that are removed again, since a helper serves many jobs: `closed` would keep all of them in memory.
    for (const { worker } of helpers) worker.addEventListener('close', onCrash)
    if (helpers.some(({ isClosed }) => isClosed)) onCrash()
    return {
      ports: helpers.map(connectTo),
      [Symbol.dispose]: () => {
        for (const { worker } of helpers) worker.removeEventListener('close', onCrash)
        this.#connectionCount -= 1
        if (this.#connectionCount > 0) return
        this.#helpers = null
        for (const helper of helpers) this.#idleThreads.giveBack(helper)
      },
    }
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
  }

  async #take(): Promise<readonly Thread[]> {
    const taken: Thread[] = []
    while (taken.length < this.#count) {
      // Without a helper, jobs compress their texts themselves, so a thread that cannot start fails no job.
      const thread = await this.#idleThreads.take(this.#othersMayOpen, this.#closing.signal).catch(() => null)
      if (thread === null) break
      taken.push(thread)
    }
    return taken
  }
}

function connectTo({ worker }: Thread): MessagePort {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ type: 'compress', port: port1 } satisfies ToWorker, [port1])
  return port2
}

/**
 * One per processor: the thread of a job fetches, and seldom has to compress a text itself. With more than seven, fetching and writing
 * limit a job. None with one processor, where a job would only wait for its helper.
 */
const DEFAULT_COUNT = availableParallelism() === 1 ? 0 : Math.min(availableParallelism(), 7)
