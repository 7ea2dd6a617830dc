import { Semaphore } from '../../semaphore.ts'
import type { LargePages } from '../inspection/context.ts'
import type { FromRun } from './messages.ts'

/**
 * Runs in the thread of an inspection: its turns to have a large page in memory, which the main thread gives. What the main thread says
 * of a turn that has ended meanwhile is ignored.
 */
export class LargePageMessages implements LargePages {
  readonly #post: (message: FromRun) => void
  /** Of its pages, one after the other is large. */
  readonly #own = new Semaphore(1)
  #lastTurnId = 0
  #turn: Turn | null = null

  constructor(post: (message: FromRun) => void) {
    this.#post = post
  }

  async acquire(signal: AbortSignal, onRevoked: () => void): Promise<Disposable> {
    using acquiring = new DisposableStack()
    acquiring.use(await this.#own.acquire(signal))
    const turn: Turn = { turnId: ++this.#lastTurnId, granted: Promise.withResolvers(), onRevoked }
    this.#turn = turn
    this.#post({ type: 'requestLargePage', turnId: turn.turnId })
    acquiring.defer(() => {
      this.#turn = null
      this.#post({ type: 'releaseLargePage' })
    })
    const onAbort = () => turn.granted.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    await turn.granted.promise.finally(() => signal.removeEventListener('abort', onAbort))
    return acquiring.move()
  }

  granted(turnId: number): void {
    if (this.#turn?.turnId === turnId) this.#turn.granted.resolve()
  }

  revoked(turnId: number): void {
    if (this.#turn?.turnId === turnId) this.#turn.onRevoked()
  }
}

interface Turn {
  readonly turnId: number
  readonly granted: PromiseWithResolvers<void>
  readonly onRevoked: () => void
}
