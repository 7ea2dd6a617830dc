/**
 * Runs in the main thread. Answers the threads of jobs in turns of the event loop. Bun handles every message of a thread before it
 * looks at sockets, and a thread that is answered at once asks again: a job that copies 5,000 entries would keep requests waiting
 * for half a second. An answer is read and then sent, in several steps: the next one begins when it has ended, so that the time of all
 * steps counts. `openTurns` of the HTTP API hands out turns to callers that go on by themselves, and sees their first step alone.
 */
export class ReadTurns {
  readonly #waiting: (() => Promise<void>)[] = []
  #isAnswering = false

  /** Runs `answer` in a later turn, after those before it. It must not reject. */
  add(answer: () => Promise<void>): void {
    this.#waiting.push(answer)
    if (this.#isAnswering) return
    this.#isAnswering = true
    setImmediate(() => void this.#answerSome())
  }

  async #answerSome(): Promise<void> {
    const startedMs = performance.now()
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await next()
      if (performance.now() - startedMs >= TURN_MS) break
    }
    this.#isAnswering = this.#waiting.length > 0
    if (this.#isAnswering) setImmediate(() => void this.#answerSome())
  }
}

/** Some ten answers. */
const TURN_MS = 2
