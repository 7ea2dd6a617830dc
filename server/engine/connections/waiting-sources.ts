import type { Lease, LeaseWish } from './lease.ts'

/** Runs in the thread of the job. Its sources that wait for a connection to one host. */
export class WaitingSources {
  readonly #waiting: WaitingSource[] = []

  get count(): number {
    return this.#waiting.length
  }

  /** The one that waits the longest; while some of them are held back for earlier ones, the first in URL order. */
  get next(): WaitingSource | undefined {
    const longest = this.#waiting[0]
    if (!this.isAnyHeldBack) return longest
    return this.#waiting.reduce((first, one) => (one.position < first.position ? one : first))
  }

  /** Whether a large body waits for its turn. */
  get isAnyHeldBack(): boolean {
    return this.#waiting.some(({ isHeldBack }) => isHeldBack)
  }

  /** Whether no source waits but those whose large bodies wait for their turn. */
  get areAllHeldBack(): boolean {
    return this.#waiting.every(({ isHeldBack }) => isHeldBack)
  }

  areAllAfter(position: number): boolean {
    return this.#waiting.every((source) => source.position > position)
  }

  add(wish: LeaseWish): Promise<Lease> {
    const { promise, resolve, reject } = Promise.withResolvers<Lease>()
    this.#waiting.push({ ...wish, resolve, reject })
    return promise
  }

  remove(source: WaitingSource): void {
    this.#waiting.splice(this.#waiting.indexOf(source), 1)
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
  }
}

interface WaitingSource extends LeaseWish {
  resolve(lease: Lease): void
  reject(reason: unknown): void
}
