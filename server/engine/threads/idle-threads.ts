import { startHttpThread } from '../../fetching/http-thread.ts'
import { areManyDescriptorsFree, SHORTAGE_RETRY_MS } from '../../files/descriptors.ts'
import { SpareDescriptors } from '../../files/spare-descriptors.ts'
import { beginThread, startThread, THREAD_DESCRIPTORS, type Thread } from './thread.ts'

/**
 * Runs in the main thread: the threads that run no job, and the descriptors that new ones start on. Disposing of it ends the idle threads.
 */
export class IdleThreads implements Disposable {
  readonly #workerUrl: string | URL
  readonly #idle: Thread[] = []
  readonly #spareDescriptors = new SpareDescriptors()
  #surplusTimer: Timer | undefined
  #isDisposed = false

  constructor(workerUrl: string | URL) {
    this.#workerUrl = workerUrl
  }

  /** Starts what the first job needs, if clients could take all descriptors later. That slows the start of the service down. */
  async prepare(): Promise<void> {
    if (areManyDescriptorsFree()) return
    const { thread, waitForStart } = beginThread(this.#workerUrl)
    this.#idle.push(thread)
    await startHttpThread()
    // A thread that was ended before it started would never report its start.
    if (!this.#isDisposed) waitForStart()
  }

  /**
   * An idle thread or a new one. Waits while there are too few descriptors for a new one.
   * @param othersMayOpen how many descriptors other threads may open while the new one starts, at most
   * @returns null when the signal is aborted first
   */
  async take(othersMayOpen: () => number, signal: AbortSignal): Promise<Thread | null> {
    while (!signal.aborted) {
      const thread = this.#takeIdle() ?? this.#start(othersMayOpen())
      if (thread !== null) return thread
      await Bun.sleep(SHORTAGE_RETRY_MS)
    }
    return null
  }

  /** Keeps a thread for further jobs. If no job needs it for a while, it is ended, unless few are idle. */
  giveBack(thread: Thread): void {
    this.#idle.push(thread)
    clearTimeout(this.#surplusTimer)
    this.#surplusTimer = setTimeout(() => {
      for (const { worker } of this.#idle.splice(KEPT_THREADS)) worker.terminate()
    }, SURPLUS_MS)
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    clearTimeout(this.#surplusTimer)
    for (const { worker } of this.#idle) worker.terminate()
    this.#spareDescriptors[Symbol.dispose]()
  }

  #takeIdle(): Thread | null {
    for (;;) {
      const thread = this.#idle.pop()
      if (thread === undefined) return null
      // A thread that crashed between two jobs would ignore the order.
      if (!thread.isClosed) return thread
    }
  }

  #start(othersMayOpen: number): Thread | null {
    // Blocks nobody. Most systems allow half a million descriptors.
    if (areManyDescriptorsFree()) return beginThread(this.#workerUrl).thread
    return this.#spareDescriptors.lend(THREAD_DESCRIPTORS + othersMayOpen, () => startThread(this.#workerUrl))
  }
}

/** The threads that are kept however long they are idle. Each takes 5 to 10 MB; to start one takes up to 20 ms. */
const KEPT_THREADS = 2
/** How long the others are kept after the end of a job. */
const SURPLUS_MS = 10_000
