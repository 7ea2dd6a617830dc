import { UserTurns } from '../../user-turns.ts'

/** An inspection that reads a large page, in whatever thread it runs. */
export interface LargePageReader {
  /** Users have turns one after the other. A group is all inspections of one user. */
  readonly group: string
  /** Called once per request: it may read its page. */
  granted(): void
  /** Other users have waited long enough for its page to arrive. */
  revoked(): void
}

/**
 * Runs in the main thread, for all inspections. One large page at a time is in memory: with what is made of it, one of 10 MB takes some
 * 60 MB, and eight took 1.1 GB. Who waits keeps its first megabyte, and its host keeps the rest.
 */
export class LargePageTurns implements Disposable {
  readonly #waiting = new Set<LargePageReader>()
  readonly #turns = new UserTurns<string>()
  #reading: LargePageReader | null = null
  /** Runs while one reads and other users wait. */
  #timer: Timer | undefined
  readonly #contendedMs: number

  /** @param contendedMs how long other users wait for a page that arrives */
  constructor(contendedMs = CONTENDED_MS) {
    this.#contendedMs = contendedMs
  }

  /** Calls `reader.granted` when it may read, perhaps immediately. It has no other page. */
  request(reader: LargePageReader): void {
    this.#waiting.add(reader)
    this.#next()
  }

  /** It has read its page, no longer wants to, or has ended. */
  leave(reader: LargePageReader): void {
    this.#waiting.delete(reader)
    if (this.#reading === reader) {
      this.#reading = null
      this.#stopTimer()
    }
    this.#next()
  }

  [Symbol.dispose](): void {
    this.#stopTimer()
  }

  #next(): void {
    this.#reading ??= this.#grant()
    if (this.#waiting.size === 0) this.#turns.clear()
    const reading = this.#reading
    const delaysOthers = [...this.#waiting].some(({ group }) => group !== reading?.group)
    if (delaysOthers) this.#timer ??= setTimeout(() => reading?.revoked(), this.#contendedMs)
    else this.#stopTimer()
  }

  #grant(): LargePageReader | null {
    const next = this.#turns.next(this.#waiting, ({ group }) => group) ?? null
    if (next === null) return null
    this.#waiting.delete(next)
    this.#turns.served(next.group)
    next.granted()
    return next
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** A person waits for each page, for 25 s at most. */
const CONTENDED_MS = 5_000
