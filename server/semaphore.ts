/** Limits how many callers at once use something that costs memory or processes. The others wait in order. */
export class Semaphore {
  #freeSlots: number
  readonly #waiting = new Set<() => void>()

  constructor(slots: number) {
    this.#freeSlots = slots
  }

  /**
   * Waits for a slot, which is held until it is disposed of.
   * @throws the signal's reason once it is aborted
   */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#freeSlots > 0) this.#freeSlots -= 1
    else await this.#waitInLine(signal)
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release()
        isHeld = false
      },
    }
  }

  /** Hands the slot to the first who waits. It is never free meanwhile, so that nobody who comes later can take it. */
  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#freeSlots += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }

  async #waitInLine(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      this.#waiting.delete(resolve)
      reject(signal.reason)
    }
    this.#waiting.add(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
