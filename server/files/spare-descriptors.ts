import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { descriptorLimit, openDescriptors } from './descriptors.ts'

/**
 * Descriptors that are kept open for nothing, so that clients cannot take them. They are for work that would end the
 * process if it got no descriptor.
 */
export class SpareDescriptors implements Disposable {
  readonly #wanted = Math.min(MAX_SPARE, Math.floor((descriptorLimit ?? 0) * MAX_SPARE_SHARE))
  readonly #held: number[] = []

  constructor() {
    this.#take()
  }

  /**
   * Closes the spare descriptors, does the work and opens them again. The work must be over when it returns: the event loop
   * accepts no client before that.
   * @param count how many descriptors the work and other threads may take meanwhile, at most
   * @returns null, without having done the work, if fewer are free
   */
  lend<T>(count: number, work: () => T): T | null {
    this.#release()
    try {
      if (descriptorLimit !== null && descriptorLimit - openDescriptors() < count) return null
      return work()
    } finally {
      this.#take()
    }
  }

  [Symbol.dispose](): void {
    this.#release()
  }

  #release(): void {
    for (const fd of this.#held.splice(0)) closeSync(fd)
  }

  #take(): void {
    try {
      while (this.#held.length < this.#wanted) this.#held.push(openSync(devNull, 'r'))
    } catch {
      // Taken by clients. The next `lend` tries again.
    }
  }
}

/** Enough to start a thread while the connections and files of other jobs are opened at the same time. */
const MAX_SPARE = 64
/** Of a low limit, most is needed for other purposes. */
const MAX_SPARE_SHARE = 1 / 8
