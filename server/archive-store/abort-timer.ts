import { StoreError } from './store-error.ts'

/** Aborts a request when the store does not respond in time, when another signal is aborted, and when it is disposed of. */
export class AbortTimer implements Disposable {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  #timer: Timer | undefined

  constructor(stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.#controller.signal])
  }

  /** From now on, the store has this long. */
  restart(timeoutMs: number): void {
    this.pause()
    this.#timer = setTimeout(() => this.#controller.abort(new StoreError(null)), timeoutMs)
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  [Symbol.dispose](): void {
    this.pause()
    this.#controller.abort()
  }
}

/** For requests that nothing but their timer aborts. */
export const NEVER_ABORTED = new AbortController().signal
