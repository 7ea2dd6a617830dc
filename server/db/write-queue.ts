import { systemFault } from '../files/system-error.ts'

/** Writes that no request waits for: while another process holds the database they wait for it, in order. */
export interface WriteQueue extends Disposable {
  /**
   * Runs `write` now, or as soon as those before it are done and nobody else holds the database.
   * Rejects with whatever else it throws, and once the queue is closed, with `SQLITE_BUSY`, too.
   */
  run<T>(write: () => T): Promise<T>
}

/** Each try may hold up the thread for a moment, so they become rare. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000

/** Disposing of it gives what waits one last try. */
export function openWriteQueue(): WriteQueue {
  /** Each says whether it is done: written, or failed for good. */
  const waiting: (() => boolean)[] = []
  let pauseMs = FIRST_PAUSE_MS
  let timer: Timer | null = null
  let isClosed = false

  function writeAll(): void {
    timer = null
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (!next()) {
        // One alone tries: the others would be refused, too.
        timer = setTimeout(writeAll, pauseMs)
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
        return
      }
      waiting.shift()
    }
    pauseMs = FIRST_PAUSE_MS
  }

  return {
    run<T>(write: () => T): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push(() => {
        try {
          resolve(write())
        } catch (error) {
          if (!isClosed && systemFault(error) === 'database-busy') return false
          reject(error)
        }
        return true
      })
      if (timer === null) writeAll()
      return promise
    },
    [Symbol.dispose]() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      writeAll()
    },
  }
}
