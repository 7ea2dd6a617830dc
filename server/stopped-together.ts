import { settledWithin } from './settled-within.ts'

/** Parts that take time to stop. They stop side by side, and whoever disposes of this waits so long at most. */
export class StoppedTogether implements AsyncDisposable {
  readonly #parts: AsyncDisposable[] = []
  readonly #timeoutMs: number
  readonly #onLate: () => void

  /** @param onLate told when a part has not stopped in time, and is left as it is */
  constructor(timeoutMs: number, onLate: () => void) {
    this.#timeoutMs = timeoutMs
    this.#onLate = onLate
  }

  use<T extends AsyncDisposable>(part: T): T {
    this.#parts.push(part)
    return part
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = Promise.all(this.#parts.map(async (part) => part[Symbol.asyncDispose]()))
    if (!(await settledWithin(stopped, this.#timeoutMs))) this.#onLate()
    else await stopped
  }
}
