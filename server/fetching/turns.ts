/** Lets so many at once do what costs memory or processes; the others wait for their turn, in order. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /**
   * Waits for a turn, which ends when it is disposed of.
   * @throws the signal's reason once it is aborted
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    while (this.#taken >= this.#atOnce) await this.#wait(signal)
    this.#taken += 1
    return {
      [Symbol.dispose]: () => {
        this.#taken -= 1
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
