import { settlesWithin } from './settles-within.ts'

/** Stops parts that take time, all at the same time, and waits for them up to a time limit. */
export class ConcurrentShutdown implements AsyncDisposable {
  readonly #parts: AsyncDisposable[] = []
  readonly #timeoutMs: number
  readonly #onTimeout: () => void

  /** @param onTimeout called when a part has not stopped in time; it is left as it is */
  constructor(timeoutMs: number, onTimeout: () => void) {
    this.#timeoutMs = timeoutMs
    this.#onTimeout = onTimeout
  }

  use<T extends AsyncDisposable>(part: T): T {
    this.#parts.push(part)
    return part
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = Promise.all(this.#parts.map(async (part) => part[Symbol.asyncDispose]()))
    if (!(await settlesWithin(stopped, this.#timeoutMs))) this.#onTimeout()
    else await stopped
  }
}
