import type { BodyChecker, BodyResult } from './bodies.ts'
import type { FromChecker, ToChecker } from './messages.ts'

/**
 * Checks bodies in threads, each with a descriptor of its own. Disposing of it ends them.
 * @param workerUrl resolved by `main.ts`: in the executable, only the entry file can do that
 */
export class CheckerThreads implements BodyChecker, Disposable {
  readonly parallel: number
  readonly #threads: CheckerThread[]

  constructor(workerUrl: string | URL, path: string, count: number) {
    this.#threads = Array.from({ length: count }, () => new CheckerThread(workerUrl, path))
    // While a thread checks one batch, the next one is on its way.
    this.parallel = 2 * count
  }

  check(
    batch: Parameters<BodyChecker['check']>[0],
    read: (bytes: number) => void,
  ): Promise<readonly BodyResult[]> {
    const [first, ...others] = this.#threads
    if (first === undefined) throw new RangeError('there is no thread')
    const idlest = others.reduce((a, b) => (b.waiting < a.waiting ? b : a), first)
    return idlest.check(batch, read)
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread[Symbol.dispose]()
  }
}

class CheckerThread implements Disposable {
  readonly #worker: Worker
  readonly #batches = new Map<number, Batch>()
  #lastId = 0

  constructor(workerUrl: string | URL, path: string) {
    this.#worker = new Worker(workerUrl)
    this.#worker.onmessage = ({ data }: MessageEvent<FromChecker>) => this.#receive(data)
    this.#worker.addEventListener('close', () => {
      for (const { result } of this.#batches.values()) result.reject(new Error('a thread ended'))
    })
    this.#post({ type: 'open', path })
  }

  get waiting(): number {
    return this.#batches.size
  }

  check(
    batch: Parameters<BodyChecker['check']>[0],
    read: (bytes: number) => void,
  ): Promise<readonly BodyResult[]> {
    const batchId = ++this.#lastId
    const result = Promise.withResolvers<readonly BodyResult[]>()
    this.#batches.set(batchId, { result, read })
    this.#post({ type: 'check', batchId, batch })
    return result.promise
  }

  [Symbol.dispose](): void {
    this.#batches.clear()
    this.#worker.terminate()
  }

  #post(message: ToChecker): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromChecker): void {
    const batch = this.#batches.get(message.batchId)
    if (message.type === 'read') {
      batch?.read(message.bytes)
      return
    }
    this.#batches.delete(message.batchId)
    if (message.type === 'checked') batch?.result.resolve(message.results)
    else batch?.result.reject(new Error(message.message))
  }
}

interface Batch {
  readonly result: PromiseWithResolvers<readonly BodyResult[]>
  readonly read: (bytes: number) => void
}
