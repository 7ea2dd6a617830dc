/** Limits how many callers at once use something that costs memory or processes. The others wait in order. */
export class Semaphore {
  readonly #slots: number
  readonly #waiting = new Set<() => void>()
  #acquired = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  /**
   * Waits for a slot, which is held until it is disposed of.
   * @throws the signal's reason once it is aborted
   */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    while (this.#acquired >= this.#slots) await this.#wait(signal)
    this.#acquired += 1
    return {
      [Symbol.dispose]: () => {
        this.#acquired -= 1
        const [next] = this.#waiting
        next?.()
      },
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => reject(signal.reason)
    this.#waiting.add(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await promise
    } finally {
      this.#waiting.delete(resolve)
      signal.removeEventListener('abort', onAbort)
    }
  }
}
