import { systemFault } from '../files/system-error.ts'

/** A queue for writes that no request waits for. While another process holds the database, they wait in order. */
export interface WriteQueue extends Disposable {
  /**
   * Runs `write` as soon as the writes before it are done and no other process holds the database.
   * Rejects when `write` throws any other error. Rejects with `SQLITE_BUSY` only after the queue was closed.
   */
  run<T>(write: () => T): Promise<T>
}

/** Each attempt may block the thread for a moment, so the pauses between attempts grow. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000

/** Disposing of the queue attempts each waiting write once more. */
export function openWriteQueue(): WriteQueue {
  /** Each function returns false when the database was busy, so that the write must be attempted again. */
  const waiting: (() => boolean)[] = []
  let pauseMs = FIRST_PAUSE_MS
  let timer: Timer | null = null
  let isClosed = false

  function writeAll(): void {
    timer = null
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (!next()) {
        // The database would refuse the writes after this one, too.
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
